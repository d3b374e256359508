import { clusterAddress, redactedUrl } from './address.js';
import { clusterSubscriber, commandCluster, jobsCluster, seedConnection } from './cluster.js';
import { connected } from './connection.js';
import { serverProblem } from './server-check.js';
import { isAway } from './fault.js';
/** A node that is away fails every command that is meant for it; one report in this time is enough. */
const NODE_ERROR_INTERVAL_MS = 1_000;
/**
 * Reaches a cluster. It serves as long as it can: a master that is away fails the commands for its slots only.
 *
 * @throws Error with one line that says what to do: no node answers, the server is no cluster, the cluster is down, or a master is not fit
 */
export async function accessCluster({ url, role, onError }) {
    const address = clusterAddress(url);
    const cluster = await connected(commandCluster(address, role), url, onError).catch(async (error) => {
        const seed = await connected(seedConnection(address), url, () => undefined);
        seed.disconnect();
        throw error;
    });
    reportNodeErrors(cluster, onError);
    try {
        await requireFit(cluster, redactedUrl(url));
    }
    catch (error) {
        cluster.disconnect();
        throw error;
    }
    const reported = async (opening) => {
        const another = await opening;
        reportNodeErrors(another, onError);
        return another;
    };
    return {
        redis: cluster,
        isOneServer: false,
        another: () => reported(connected(commandCluster(address, role), url, onError)),
        subscriber: () => connected(clusterSubscriber(cluster, address, role), url, onError),
        jobs: () => reported(connected(jobsCluster(address), url, onError)),
        memory: () => memoryOf(cluster),
        ping: () => requireServing(cluster),
    };
}
/** Also connects to every master, so that the first commands do not wait for it. */
async function requireFit(cluster, shownUrl) {
    const masters = cluster.nodes('master');
    if (masters.length === 0)
        throw new Error(`The Redis Cluster at ${shownUrl} names no master: make it with redis-cli --cluster create, or set cluster-announce-ip.`);
    await requireServing(cluster).catch((error) => {
        throw new Error(`The Redis Cluster at ${shownUrl} does not serve: ask redis-cli --cluster check.`, { cause: error });
    });
    await Promise.all(masters.map(async (master) => {
        const info = await master.info().catch((error) => {
            // It is checked by nobody when it comes back, and neither is one that joins later.
            if (!isAway(error))
                throw error;
        });
        const problem = info === undefined ? undefined : serverProblem(info);
        if (problem !== undefined)
            throw new Error(`${master.options.host}:${master.options.port}: ${problem}`);
    }));
}
/** Resolves when one master says that the cluster serves. */
async function requireServing(cluster) {
    const answers = cluster.nodes('master').map(async (master) => {
        const info = await master.cluster('INFO');
        if (!info.includes('cluster_state:ok'))
            throw new Error('CLUSTERDOWN The cluster is down');
    });
    try {
        await Promise.any(answers);
    }
    catch (error) {
        const [first] = error instanceof AggregateError ? error.errors : [error];
        throw first ?? new Error("Cluster isn't ready");
    }
}
async function memoryOf(cluster) {
    const answers = await Promise.allSettled(cluster.nodes('master').map((master) => master.info('memory')));
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}
function reportNodeErrors(cluster, onError) {
    const reportedAt = new Map();
    cluster.on('node error', (error, node) => {
        const now = performance.now();
        if (now - (reportedAt.get(node) ?? Number.NEGATIVE_INFINITY) < NODE_ERROR_INTERVAL_MS)
            return;
        reportedAt.set(node, now);
        onError(new Error(`Redis node ${node} failed`, { cause: error }));
    });
}
//# sourceMappingURL=cluster-access.js.map