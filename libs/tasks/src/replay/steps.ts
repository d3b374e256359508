import { toJson, toRecordedError } from './recorded-error.js';
import type { PassRun } from './pass-run.js';
import { isTerminal, retryDelayMs } from './retry-delay.js';
import type { RetryPolicy, StepContext } from './task-context.js';

/** A step: runs its body unless its value is recorded. @param random from 0 to 1, for the jitter of retries */
export function askStep<T>(
  run: PassRun,
  key: string,
  body: (step: StepContext) => Promise<T> | T,
  retry: RetryPolicy | undefined,
  random: () => number,
): Promise<T> {
  const start = (): void => {
    const before = run.journal.state.operations.get(key);
    const attempt = before?.status === 'retrying' ? before.attempt + 1 : 1;
    void run.during(key, async () => {
      try {
        const value = await body({ signal: run.signal, attempt, idempotencyKey: `${run.journal.taskId}:${key}` });
        const json = toJson(value, `The value of step "${key}"`);
        run.put({ type: 'CompleteStep', key, ...(json !== undefined && { value: json }) });
      } catch (thrown) {
        if (run.signal.aborted) return; // Cancelled or lost: whoever goes on runs it again.
        const delay = isTerminal(thrown) ? undefined : retryDelayMs(retry, attempt, random());
        const retryAt = delay === undefined ? {} : { retryAt: run.clock() + delay };
        run.put({ type: 'FailStep', key, error: toRecordedError(thrown), attempt, ...retryAt });
      }
    });
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
