import { PassConnections } from './pass-connections.js';
import { cancelTask } from './task-look.js';
/**
 * Has the servers cancel what a run has left behind with them: the tasks of its calls that have not ended as far as it knew.
 *
 * @param steps the recorded values of the run
 * @throws AggregateError when one of them cannot be cancelled now
 */
export async function cancelRemoteTasks(steps, servers) {
    const leftBehind = leftBehindIn(steps).filter(({ server }) => servers.has(server));
    if (leftBehind.length === 0)
        return;
    const connections = new PassConnections({
        servers,
        client: { generation: '2026-07-28', protocolVersion: '2026-07-28', capabilities: {} },
        signal: new AbortController().signal,
    });
    try {
        const outcomes = await Promise.allSettled(leftBehind.map(({ server, task }) => cancelTask(connections, server, task)));
        const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
        if (failures.length > 0)
            throw new AggregateError(failures, `Tasks of other servers could not be cancelled: ${failures.map(String).join('; ')}`);
    }
    finally {
        await connections.close();
    }
}
function leftBehindIn(steps) {
    const tasks = new Map();
    for (const [key, value] of steps) {
        const [, what, number = ''] = /^(call|look at) (\d+)(?::\d+)?$/.exec(key) ?? [];
        const call = value;
        if (what === 'call' && 'task' in call)
            tasks.set(number, call);
        const look = value;
        if (what === 'look at' && ('result' in look || 'failure' in look))
            tasks.delete(number);
    }
    return [...tasks.values()];
}
//# sourceMappingURL=cancel-remote-tasks.js.map