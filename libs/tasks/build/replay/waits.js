import { TaskError } from '../errors.js';
import { clientRequestParams } from './notification-params.js';
/** A request to the client; resolves with its answer. @throws TaskError `NOT_SERIALIZABLE` when it is no JSON, or too large */
export function askInput(run, name, method, params) {
    const key = run.keys.own(name);
    // What is recorded has been checked, by limits that may have been others then.
    const isRecorded = run.journal.state.operations.get(key) !== undefined;
    const asked = isRecorded ? params : clientRequestParams(method, params);
    return run.ask(key, 'input', () => run.put({ type: 'RequestInput', key, method, params: asked }), method);
}
/** A wait of `ms` milliseconds. @throws TaskError `INVALID_KEY` when that is no time */
export async function askTimer(run, key, ms) {
    if (!(ms >= 0))
        throw new TaskError('INVALID_KEY', `sleep "${key}" takes milliseconds from 0 up; got ${ms}.`);
    await run.ask(key, 'timer', () => run.put({ type: 'ScheduleTimer', key, dueAt: run.clock() + ms }));
}
//# sourceMappingURL=waits.js.map