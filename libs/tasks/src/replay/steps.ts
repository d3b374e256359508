import type { Json } from '../domain/json.js';
import { wholeMs } from '../domain/milliseconds.js';
import { stepKeysOf } from '../domain/step-keys.js';
import { TaskError } from '../errors.js';
import { optionsOf } from '../given.js';
import { stepValueText, toRecordedError } from './recorded-error.js';
import type { PassRun } from './pass-run.js';
import { checkRetryPolicy, isTerminal, RETRY_MEMBERS, retryDelayMs } from './retry-delay.js';
import { RunningStep } from './running-step.js';
import type { StepContext, StepOptions } from './step-context.js';
import { givenTime } from './waits.js';

/** Dependencies of every step of a pass. */
export interface StepSettings {
  /** How long a step may take that names no limit, milliseconds. */
  readonly stepTimeoutMs: number;
  /** A try that runs for longer than this is recorded as started, milliseconds. */
  readonly slowStepMs: number;
  /** From 0 to 1, for the jitter of retries. */
  readonly random: () => number;
}

/** A step: runs its body unless its value is recorded. @throws TaskError `INVALID_KEY` for a limit that is no time */
export function askStep<T>(
  run: PassRun,
  key: string,
  body: (step: StepContext) => Promise<T> | T,
  options: StepOptions | undefined,
  { stepTimeoutMs, slowStepMs, random }: StepSettings,
): Promise<T> {
  const of = `step "${key}"`;
  const { timeoutMs: given, ...retry } = optionsOf(of, options, [...RETRY_MEMBERS, 'timeoutMs']);
  const timeoutMs = given === undefined ? stepTimeoutMs : givenTime(`${of}: timeoutMs`, given, 1);
  checkRetryPolicy(of, retry, (message) => new TaskError('INVALID_KEY', message));
  const start = (): void => {
    const { taskId, state } = run.journal;
    const before = state.operations.get(key);
    const attempt = before?.status === 'retrying' ? before.attempt + 1 : 1;
    const start = { startedAt: run.clock(), startedAfter: state.version };
    const step = new RunningStep({
      key,
      pass: run,
      attempt,
      idempotencyKey: `${stepKeysOf(taskId, state.task?.forkedFrom, state.runSince)}:${key}`,
      surround: (work) => run.journal.runStep(key, attempt, work),
      timeoutMs,
      slowMs: slowStepMs,
      start,
      body,
      completed(value) {
        const { values, journal } = run;
        const text = stepValueText(value, `The value of step "${key}"`, values);
        if (text === undefined) return { type: 'CompleteStep', key, ...start };
        if (!values.isLarge(text)) return { type: 'CompleteStep', key, value: JSON.parse(text) as Json, ...start };
        journal.place.endStep(state.task?.tool ?? '', key, text.length);
        return values.keep(text).then((large) => ({ type: 'CompleteStep', key, large, ...start }));
      },
      failed(thrown) {
        const delay = isTerminal(thrown) ? undefined : retryDelayMs(retry, attempt, random());
        const retryAt = delay === undefined ? {} : { retryAt: wholeMs(run.clock() + delay) };
        return { type: 'FailStep', key, error: toRecordedError(thrown), attempt, ...retryAt, ...start };
      },
    });
    void run.during(step);
  };
  return run.ask(key, 'step', start) as Promise<T>;
}

/** A value that is drawn once and recorded without waiting. */
export function recordedValue<T extends string | number>(run: PassRun, name: `$${string}`, draw: () => T): T {
  const key = run.keys.own(name);
  const operation = run.recorded(key, 'step');
  if (operation?.status === 'completed') return operation.value as T;
  const value = draw();
  run.put({ type: 'CompleteStep', key, value });
  return value;
}
