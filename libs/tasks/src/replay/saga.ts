/**
 * Runs a function whose operations are undone when it throws: see `FlowContext.saga`.
 *
 * Its operations are in a scope of their own. When everything is undone that is recorded, and a later attempt of the workflow has another
 * scope within it: so that attempt does not take what was undone for done. When something cannot be undone, that is recorded: the saga throws
 * the same error in later attempts, because some of its steps are undone and some are not.
 */
import { JsonRpcCode } from '../domain/json-rpc-code.js';
import type { Json } from '../domain/json.js';
import { cutText, FIELD_LIMITS } from '../field-limits.js';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { operationNamed, requireFunction } from '../given.js';
import { thrownText } from '../thrown-text.js';
import type { Saga, Undo } from './flow-context.js';
import { type OperationKeys, UNDO_SCOPE } from './operation-keys.js';
import { mapOperation } from './operation-promise.js';
import type { PassRun } from './pass-run.js';
import type { StepContext, StepOptions } from './step-context.js';
import type { TaskContext } from './task-context.js';

/** Recorded when everything is undone. */
export const UNDONE_KEY = '$undone';

/** Recorded when something could not be undone: the message and the data of the error. */
const STUCK_KEY = '$stuck';

/** What has to be undone, in the order in which it was done. */
interface Done {
  readonly name: string;
  readonly undo: (step: StepContext) => unknown;
  readonly options: StepOptions | undefined;
}

/** @throws what `body` throws, when everything is undone; an error with the reason `UNDO_FAILED` */
export async function runSaga<T>(run: PassRun, step: TaskContext['step'], body: (saga: Saga) => Promise<T>, name: string): Promise<T> {
  const { keys } = run;
  requireFunction('saga', 'run', body);
  const label = keys.scope('saga', name);
  const within = <R>(work: () => R): R => keys.within(label, () => withinTry(run, 1, work));
  return within(async () => {
    throwIfStuck(run);
    const done: Done[] = [];
    const running = new Set<Promise<unknown>>();
    const after = <V>(operation: Promise<V>, named: string, undo: Undo<V>, options?: StepOptions): Promise<V> => {
      requireUndo(keys, named, undo);
      if (!(operation instanceof Promise))
        throw new TaskError('INVALID_KEY', `saga "${named}": operation must be a promise, and is ${shown(operation)}.`);
      const noted = mapOperation(operation, (value) => {
        done.push({ name: named, undo: (given) => undo(value, given), options });
        return value;
      });
      const ended = noted.finally(() => running.delete(ended));
      ended.catch(() => undefined);
      running.add(ended);
      return noted;
    };
    const saga: Saga = {
      step(named, forward, undo, options) {
        requireUndo(keys, named, undo);
        return after(step<never>(named, forward as () => never, options), named, undo, options);
      },
      after,
    };
    try {
      const value = await body(saga);
      while (running.size > 0) await Promise.all(running);
      return value;
    } catch (error) {
      while (running.size > 0) await Promise.allSettled(running);
      await undoAll(run, step, done, error);
      throw error;
    }
  });
}

/** The function would be missed only when it has to undo something. @throws TaskError `INVALID_KEY` */
function requireUndo(keys: OperationKeys, name: string, undo: unknown): void {
  keys.check('saga', name);
  requireFunction(operationNamed('saga', name), 'undo', undo);
}

/** Runs the work in the scope of the first try that was not undone in an earlier attempt of the workflow. */
function withinTry<R>(run: PassRun, number: number, work: () => R): R {
  const { operations, attemptSince } = run.journal.state;
  const undone = operations.get(run.keys.here(UNDONE_KEY));
  if (undone === undefined || undone.since > attemptSince) return work();
  const next = number + 1;
  return run.keys.within(`$${next}`, () => withinTry(run, next, work));
}

async function undoAll(run: PassRun, step: TaskContext['step'], done: readonly Done[], cause: unknown): Promise<void> {
  const { keys } = run;
  const left = [...done];
  const undone: string[] = [];
  await keys.within(UNDO_SCOPE, async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { name, undo, options } = next;
      try {
        // Its value may be anything, and nobody gets it.
        await step(name, async (given) => void (await undo(given)), options);
      } catch (error) {
        const notUndone = left.toReversed().map((other) => other.name);
        const failure = failureOf({ cause, error, undone, failed: name, notUndone });
        note(run, STUCK_KEY, failure);
        throw undoFailed(failure, error);
      }
      undone.push(name);
    }
  });
  note(run, UNDONE_KEY, undone);
}

function note(run: PassRun, name: `$${string}`, value: Json): void {
  const key = run.keys.own(name);
  if (run.recorded(key, 'step') === undefined) run.put({ type: 'CompleteStep', key, value });
}

/** @throws the error of an earlier attempt of the workflow in which something could not be undone */
function throwIfStuck({ journal: { state }, keys }: PassRun): void {
  const stuck = state.operations.get(keys.within(UNDO_SCOPE, () => keys.here(STUCK_KEY)));
  if (stuck?.kind === 'step' && stuck.status === 'completed' && stuck.since <= state.attemptSince)
    throw undoFailed(stuck.value as ReturnType<typeof failureOf>);
}

interface FailedUndo {
  readonly cause: unknown;
  readonly error: unknown;
  readonly undone: readonly string[];
  readonly failed: string;
  readonly notUndone: readonly string[];
}

/** As it is recorded. */
function failureOf({ cause, error, undone, failed, notUndone }: FailedUndo) {
  const text = (thrown: unknown): string => cutText(thrownText(thrown), FIELD_LIMITS.errorMessageBytes / 4);
  const names = (list: readonly string[]): string => (list.length === 0 ? 'nothing' : list.map((name) => `"${name}"`).join(', '));
  const message = `"${failed}" could not be undone (${text(error)}). Undone: ${names(undone)}. Not undone: ${names([failed, ...notUndone])}. The reason to undo it was: ${text(cause)}`;
  return { message, data: { reason: 'UNDO_FAILED', undone, failed, notUndone, because: text(cause) } };
}

/** It has a number as its code, so that it ends the task, and nothing is tried again on top of it. */
function undoFailed({ message, data }: ReturnType<typeof failureOf>, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: JsonRpcCode.InternalError, data });
}
