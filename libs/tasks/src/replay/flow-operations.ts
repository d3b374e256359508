/** Defines the operations that order others. */
import type { ContextOperations } from './context-operation.js';
import { type ItemOptions, runItems } from './items.js';

/** Their entries. */
export const FLOW_OPERATIONS = {
  all: {
    key: 'several',
    isDrawn: false,
    make: ({ operation, run }) =>
      (<T>(items: Iterable<T>, each: (item: T, index: number) => unknown, options: ItemOptions<T> = {}) =>
        operation('all', async () => {
          await Promise.resolve(); // The functions of the items call operations at places of their own, and not at this one.
          return runItems(run.keys, items, each, options);
        })) as never,
  },
} as const satisfies ContextOperations<'all'>;
