/** Reports mistakes in a tool's operations with their position in its code. */
import { presentCalls } from '../call-site.js';
import { TaskError } from '../errors.js';
import type { PassRun } from './pass-run.js';
import { requireNoStep } from './present-step.js';
import { codeOf } from './recorded-error.js';
import { type Begun, describeBegun } from './unawaited.js';

/** Begins an operation. Its promise must be awaited. @param name as in `sleep "nap"` */
export type Operate = <T>(name: string, begin: () => Promise<T>) => Promise<T>;

/** Begins the operations of a tool, and sends its reports. */
export interface PlacedOperations {
  readonly operation: Operate;
  readonly report: (name: string, send: () => void) => void;
}

/** Those of a pass. */
export function placedOperations(run: PassRun, tool: string): PlacedOperations {
  const operation: Operate = (name, begin) => {
    const begun = { name, calls: presentCalls(operation) };
    return run.promise(begun, async () => {
      try {
        requireNoStep(run, tool, name);
        return await begin();
      } catch (error) {
        throw withPlace(error, tool, begun);
      }
    });
  };
  const report = (name: string, send: () => void): void => {
    const begun = { name, calls: presentCalls(report) };
    try {
      send();
    } catch (error) {
      throw withPlace(error, tool, begun);
    }
  };
  return { operation, report };
}

/** The error, which says where its author has to look if it is one of theirs: a value that cannot be recorded. */
function withPlace(error: unknown, tool: string, begun: Begun): unknown {
  if (!(error instanceof Error) || codeOf(error) !== 'NOT_SERIALIZABLE') return error;
  return new TaskError('NOT_SERIALIZABLE', `Tool "${tool}", ${describeBegun(begun)}: ${error.message}`, undefined, { cause: error });
}
