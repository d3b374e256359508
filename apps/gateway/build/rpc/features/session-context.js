import { listChangedNotification, sessionValues } from '@longhaul/sessions';
/**
 * The session, as features see it.
 *
 * @param account under whom its values are counted
 */
export function sessionContext(id, account, { state, jobs, isThere, notify }) {
    return {
        ...sessionValues(state, id, account),
        listChanged: (list) => notify(id, listChangedNotification(list)),
        async startJob(name) {
            const isStarted = await jobs.start(id, name, account);
            // A session that has ended meanwhile has nothing any more by which the job would end.
            if (!isStarted || (await isThere(id)))
                return isStarted;
            await jobs.stop(id, name);
            return false;
        },
        stopJob: (name) => jobs.stop(id, name),
    };
}
//# sourceMappingURL=session-context.js.map