/** Defines the operations that order others. */
import { optionsOf } from '../given.js';
import type { ContextOperations } from './context-operation.js';
import type { Saga } from './flow-context.js';
import { type ItemOptions, runItems } from './items.js';
import { runSaga, UNDONE_KEY } from './saga.js';
import type { TaskContext } from './task-context.js';

/** Their entries. */
export const FLOW_OPERATIONS = {
  all: {
    key: 'several',
    isDrawn: false,
    make: ({ operation, run }) =>
      (<T>(items: Iterable<T>, each: (item: T, index: number) => unknown, options?: ItemOptions<T>) =>
        operation('all', async () => {
          await Promise.resolve(); // The functions of the items call operations at places of their own, and not at this one.
          return runItems(run.keys, items, each, options);
        })) as never,
  },
  saga: {
    key: UNDONE_KEY,
    isDrawn: true,
    make: ({ operation, run }) =>
      // By `this`, steps are those of the context that the author has, which a test watches.
      function saga<T>(this: TaskContext, body: (saga: Saga) => Promise<T>, options?: { readonly name?: string }) {
        const step: TaskContext['step'] = (...given) => this.step(...given);
        return operation('saga', async () => {
          await Promise.resolve();
          const { name = 'saga' } = optionsOf('saga', options, ['name']);
          return runSaga(run, step, body, name);
        });
      },
  },
} as const satisfies ContextOperations<'all' | 'saga'>;
