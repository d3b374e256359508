import { listChangedNotification, logNotification, resourceUpdatedNotification } from './client-notifications.js';
import { SESSION_JOB } from './session-job.js';
import { runningJob } from './session-value-names.js';
import { sessionValues } from './session-values.js';
/** So many workers may die in a row while they run a session job. */
const MAX_LOSSES = 3;
/** What a queue's consumer needs for session jobs. It runs one once, unless it was stopped, or has ended too many workers: then it is ended, and may be started again. */
export function createSessionJobRunner({ features, state, notifications, clock = Date.now, onError, }) {
    const run = async (data, losses) => {
        const { sessionId, name, runId, account } = data;
        if ((await state.get(sessionId, runningJob(name))) !== runId)
            return {};
        const end = async (reason) => {
            await state.delete(sessionId, runningJob(name));
            onError(new RangeError(reason));
            return {};
        };
        const job = features.sessionJob(name);
        if (job === undefined)
            return end(`There is no session job "${name}" any more.`);
        if (losses >= MAX_LOSSES)
            return end(`The session job "${name}" is ended: ${losses} workers have died one after the other while they ran it.`);
        const published = [];
        const publish = (notification) => {
            published.push(notifications.publish(sessionId, notification).catch((error) => onError(error)));
        };
        const context = {
            session: { ...sessionValues(state, sessionId, account), listChanged: (list) => publish(listChangedNotification(list)) },
            log: (level, data, logger) => publish(logNotification(level, data, logger)),
            resourceUpdated: (uri) => publish(resourceUpdatedNotification(uri)),
        };
        try {
            await job.run(context);
        }
        catch (error) {
            onError(error, name);
        }
        await Promise.all(published);
        return { againAt: clock() + job.everyMs };
    };
    return { [SESSION_JOB]: run };
}
//# sourceMappingURL=session-job-runner.js.map