/**
 * Starts and stops session jobs. A value of the session says that a job runs, and which start of it; its
 * job in the queue looks at that value before each run. So a job ends when it is stopped, and with the
 * session, whose values end with it. A second start is a job of its own, and an old one cannot be taken for it.
 */
import { randomUUID } from 'node:crypto';
import { laneOf } from '@longhaul/tasks';
import { SESSION_JOB } from './session-job.js';
import { runningJob } from './session-value-names.js';
export function createSessionJobs({ state, queue, features }) {
    return {
        async start(sessionId, name, account) {
            if (features.sessionJob(name) === undefined)
                throw new RangeError(`There is no session job "${name}".`);
            const runId = randomUUID();
            if (!(await state.add(sessionId, runningJob(name), runId, account)))
                return false;
            try {
                const run = { sessionId, name, runId, ...(account !== undefined && { account }) };
                await queue.addSideJob({ kind: SESSION_JOB, id: `session-${runId}`, lane: laneOf(`session:${sessionId}`), data: { ...run } });
            }
            catch (error) {
                await state.delete(sessionId, runningJob(name));
                throw error;
            }
            return true;
        },
        stop: (sessionId, name) => state.delete(sessionId, runningJob(name)),
    };
}
//# sourceMappingURL=session-jobs.js.map