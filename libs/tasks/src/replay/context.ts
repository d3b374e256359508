/** Makes the `TaskContext` of a pass: names become keys, calls become asked operations. */
import type { ElicitRequestFormParams, ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../domain/json.js';
import type { TaskCreatedData } from '../domain/events.js';
import type { PassRun } from './pass-run.js';
import { toJson, toRecordedError } from './recorded-error.js';
import type { Reports } from './reports.js';
import { isTerminal, retryDelayMs } from './retry-delay.js';
import type { RetryPolicy, StepContext, TaskContext } from './task-context.js';
import { TaskError } from '../errors.js';

/** Where randomness comes from; injected, so that tests can repeat it. */
export interface Randomness {
  /** From 0 to 1. */
  random(): number;
  uuid(): string;
}

/** Builds the context that the author's function is called with. */
export function createTaskContext(task: TaskCreatedData, run: PassRun, reports: Reports, chance: Randomness): TaskContext {
  const { taskId, state } = run.journal;
  return {
    taskId,
    attempt: state.attempt,
    signal: run.signal,
    client: task.client,
    step: (name, body, retry) => asked(() => askStep(run, run.keys.named(name), body, retry, chance)),
    sleep: (name, ms) =>
      asked(async () => {
        if (!(ms >= 0)) throw new TaskError('INVALID_KEY', `sleep "${name}" takes milliseconds from 0 up; got ${ms}.`);
        const key = run.keys.named(name);
        await run.ask(key, 'timer', () => run.put({ type: 'ScheduleTimer', key, dueAt: run.clock() + ms }));
      }),
    elicit: (params: ElicitRequestFormParams) =>
      asked(() => askInput<ElicitResult>(run, '$elicit', 'elicitation/create', params as JsonObject)),
    status: (message) => reports.status(message),
    progress: (report) => reports.report(report),
    now: () => recordedValue(run, '$now', () => run.clock()),
    randomUUID: () => recordedValue(run, '$uuid', () => chance.uuid()),
  };
}

function askInput<T>(run: PassRun, name: `$${string}`, method: string, params: JsonObject): Promise<T> {
  const key = run.keys.own(name);
  return run.ask(key, 'input', () => run.put({ type: 'RequestInput', key, method, params }), method) as Promise<T>;
}

function askStep<T>(
  run: PassRun,
  key: string,
  body: (step: StepContext) => Promise<T> | T,
  retry: RetryPolicy | undefined,
  chance: Randomness,
): Promise<T> {
  const start = (): void => {
    const before = run.journal.state.operations.get(key);
    const attempt = before?.status === 'retrying' ? before.attempt + 1 : 1;
    void run.during(async () => {
      try {
        const value = await body({ signal: run.signal, attempt, idempotencyKey: `${run.journal.taskId}:${key}` });
        const json = toJson(value, `The value of step "${key}"`);
        run.put({ type: 'CompleteStep', key, ...(json !== undefined && { value: json }) });
      } catch (thrown) {
        if (run.signal.aborted) return; // Cancelled or lost: whoever goes on runs it again.
        const delay = isTerminal(thrown) ? undefined : retryDelayMs(retry, attempt, chance.random());
        const retryAt = delay === undefined ? {} : { retryAt: run.clock() + delay };
        run.put({ type: 'FailStep', key, error: toRecordedError(thrown), attempt, ...retryAt });
      }
    });
  };
  return run.ask(key, 'step', start) as Promise<T>;
}

function recordedValue<T extends string | number>(run: PassRun, name: `$${string}`, draw: () => T): T {
  const key = run.keys.own(name);
  const operation = run.recorded(key, 'step');
  if (operation?.status === 'completed') return operation.value as T;
  const value = draw();
  run.put({ type: 'CompleteStep', key, value });
  return value;
}

/**
 * Makes a bad name reject the promise like any other failure, so that `catch` sees all of them. A
 * rejection that nobody awaits must not end the process.
 */
function asked<T>(ask: () => Promise<T>): Promise<T> {
  const promise = (async () => ask())();
  promise.catch(() => undefined);
  return promise;
}
