import { toRecordedError } from './recorded-error.js';
import { createTaskContext } from './context.js';
import { MAX_RESULT_BYTES } from '../limits.js';
import { PassRun } from './pass-run.js';
import { Reports } from './reports.js';
import { isTerminal, retryDelayMs } from './retry-delay.js';
import { JsonRpcCode } from '../domain/json-rpc-code.js';
/** Starts a claimed pass. Await `over` of what is returned. */
export function startPass(journal, dependencies) {
    const { workflow, clock, timers, chance, lease } = dependencies;
    const reports = new Reports();
    const run = new PassRun(journal, clock, timers, lease, reports.take);
    reports.run = run;
    const { task } = journal.state;
    if (task === undefined)
        throw new RangeError('A pass needs a task.');
    const context = createTaskContext({ ...dependencies, task, run, reports });
    const { refused } = task;
    void invoke(async () => refused === undefined ? workflow.run(task.arguments, context) : workflow.resultOfFailure({ name: 'Error', message: refused }));
    return run;
    async function invoke(call) {
        try {
            const result = await call();
            run.finish(tooLarge(result) ?? { type: 'CompleteTask', result }, true);
        }
        catch (thrown) {
            journal.thrown = thrown;
            run.finish(afterThrow(thrown, workflow, journal.state.attempt, clock, chance), false);
        }
    }
}
function afterThrow(thrown, workflow, attempt, clock, chance) {
    const delay = isTerminal(thrown) ? undefined : retryDelayMs(workflow.retry, attempt, chance.random());
    const error = toRecordedError(thrown);
    if (delay !== undefined)
        return { type: 'FailPass', error, retryAt: clock() + delay };
    if (typeof error.code !== 'number')
        return { type: 'CompleteTask', result: workflow.resultOfFailure(error) };
    const { code, message, data } = error;
    return { type: 'FailTask', error: { code, message, ...(data !== undefined && { data }) } };
}
function tooLarge(result) {
    const bytes = Buffer.byteLength(JSON.stringify(result));
    if (bytes <= MAX_RESULT_BYTES)
        return undefined;
    const message = `The result has ${bytes} bytes as JSON; at most ${MAX_RESULT_BYTES} are allowed.`;
    return { type: 'FailTask', error: { code: JsonRpcCode.InternalError, message, data: { reason: 'RESULT_TOO_LARGE' } } };
}
//# sourceMappingURL=run-pass.js.map