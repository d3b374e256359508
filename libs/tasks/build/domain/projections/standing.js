/**
 * Where a task stands between its worker and its waits, as small as it can be: with the rest of the view it
 * makes a state in which commands from outside a pass (an answer, a cancellation, a deadline, a permanent
 * failure) are decided as in the fold of all events. A history may have 64 MiB; this has some bytes.
 */
import { settlesAt } from '../next-pass.js';
/** The standing of a state of at least one event. */
export function standingOf(state) {
    const { pass, passNumber, epoch, attempt, operations, task, trials } = state;
    const { maxRunMs, maxWaitMs } = task ?? {};
    const deadlines = { ...(maxRunMs !== undefined && { maxRunMs }), ...(maxWaitMs !== undefined && { maxWaitMs }) };
    const onTrial = trials.together || trials.alone > 0 ? { trials } : {};
    const common = { pass: passNumber, epoch, phase: pass.phase, ...(attempt > 1 && { attempt }), ...onTrial, ...deadlines };
    switch (pass.phase) {
        case 'idle':
            return common;
        case 'running':
            return { ...common, workerId: pass.workerId, since: pass.startedAt };
        case 'retrying':
            return { ...common, wakeAt: pass.retryAt };
        case 'suspended': {
            const asks = pass.waitingFor.filter((key) => operations.get(key)?.status === 'pending');
            const wakeAt = settlesAt(state, pass.waitingFor);
            const optional = { ...(asks.length > 0 && { asks }), ...(Number.isFinite(wakeAt) && { wakeAt }) };
            return { ...common, since: pass.since, ...optional };
        }
    }
}
//# sourceMappingURL=standing.js.map