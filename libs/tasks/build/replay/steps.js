import { stepKeysOf } from '../domain/step-keys.js';
import { TaskError } from '../errors.js';
import { toRecordedError, toStepValue } from './recorded-error.js';
import { isTerminal, retryDelayMs } from './retry-delay.js';
import { RunningStep } from './running-step.js';
/** A step: runs its body unless its value is recorded. @throws TaskError `INVALID_KEY` for a limit that is no time */
export function askStep(run, key, body, options, { stepTimeoutMs, slowStepMs, random }) {
    const { timeoutMs = stepTimeoutMs } = options ?? {};
    if (!(timeoutMs > 0))
        throw new TaskError('INVALID_KEY', `step "${key}" takes a timeoutMs above 0; got ${timeoutMs}.`);
    const start = () => {
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
                const json = toStepValue(value, `The value of step "${key}"`);
                return { type: 'CompleteStep', key, ...(json !== undefined && { value: json }), ...start };
            },
            failed(thrown) {
                const delay = isTerminal(thrown) ? undefined : retryDelayMs(options, attempt, random());
                const retryAt = delay === undefined ? {} : { retryAt: run.clock() + delay };
                return { type: 'FailStep', key, error: toRecordedError(thrown), attempt, ...retryAt, ...start };
            },
        });
        void run.during(step);
    };
    return run.ask(key, 'step', start);
}
/** A value that is drawn once and recorded without waiting. */
export function recordedValue(run, name, draw) {
    const key = run.keys.own(name);
    const operation = run.recorded(key, 'step');
    if (operation?.status === 'completed')
        return operation.value;
    const value = draw();
    run.put({ type: 'CompleteStep', key, value });
    return value;
}
//# sourceMappingURL=steps.js.map