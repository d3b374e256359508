import type { JsonObject } from '../domain/json.js';
import { TaskError } from '../errors.js';
import type { PassRun } from './pass-run.js';

/** A request to the client; resolves with its answer. */
export function askInput<T>(run: PassRun, name: `$${string}`, method: string, params: JsonObject): Promise<T> {
  const key = run.keys.own(name);
  return run.ask(key, 'input', () => run.put({ type: 'RequestInput', key, method, params }), method) as Promise<T>;
}

/** A wait of `ms` milliseconds. @throws TaskError `INVALID_KEY` when that is no time */
export async function askTimer(run: PassRun, key: string, ms: number): Promise<void> {
  if (!(ms >= 0)) throw new TaskError('INVALID_KEY', `sleep "${key}" takes milliseconds from 0 up; got ${ms}.`);
  await run.ask(key, 'timer', () => run.put({ type: 'ScheduleTimer', key, dueAt: run.clock() + ms }));
}
