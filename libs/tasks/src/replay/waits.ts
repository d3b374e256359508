import type { JsonObject } from '../domain/json.js';
import { durationOf, type Milliseconds, wholeMs } from '../domain/milliseconds.js';
import { TaskError } from '../errors.js';
import { onceUnwanted } from './given-up.js';
import { clientRequestParams } from './notification-params.js';
import type { PassRun } from './pass-run.js';

/** A request to the client; resolves with its answer. @throws TaskError `NOT_SERIALIZABLE` when it is no JSON, or too large */
export function askInput<T>(run: PassRun, name: `$${string}`, method: string, params: JsonObject): Promise<T> {
  const key = run.keys.own(name);
  // What is recorded has been checked, by limits that may have been others then.
  const isRecorded = run.journal.state.operations.get(key) !== undefined;
  const asked = isRecorded ? params : clientRequestParams(method, params);
  let isPut = false;
  let unwanted: string | undefined;
  const withdraw = (reason: string): void => {
    const operation = run.journal.state.operations.get(key);
    // What is answered stays so; what is not asked yet is withdrawn when it is.
    if (operation?.settledAt !== undefined || (operation === undefined && !isPut)) return;
    run.put({ type: 'WithdrawInput', key, reason });
  };
  const answer = run.ask(
    key,
    'input',
    () => {
      run.put({ type: 'RequestInput', key, method, params: asked });
      isPut = true;
      if (unwanted !== undefined) withdraw(unwanted);
    },
    method,
  );
  onceUnwanted(run, (reason) => {
    unwanted = reason;
    withdraw(reason);
  });
  return answer as Promise<T>;
}

/** A wait of `ms` milliseconds. @throws TaskError `INVALID_KEY` when that is no time */
export async function askTimer(run: PassRun, key: string, ms: number): Promise<void> {
  const wait = givenTime(`sleep "${key}": ms`, ms);
  await run.ask(key, 'timer', () => run.put({ type: 'ScheduleTimer', key, dueAt: wholeMs(run.clock() + wait) }));
}

/** A time that the author of a workflow has given. @throws TaskError `INVALID_KEY` that names the field */
export function givenTime(field: string, ms: number, least?: number): Milliseconds {
  return durationOf(field, ms, least, (message) => new TaskError('INVALID_KEY', message));
}
