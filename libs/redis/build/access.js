import { redactedUrl } from './address.js';
import { commandConnection, connected, jobsConnection, subscriberConnection } from './connection.js';
import {} from './client.js';
import { serverProblem } from './server-check.js';
/**
 * Reaches a single server.
 *
 * @throws Error with one line that says what to do: it does not answer or refuses, is too old, may evict keys, or is a cluster's node
 */
export async function accessServer({ url, role, onError }) {
    const redis = await connected(commandConnection(url, role), url, onError);
    try {
        const info = await redis.info();
        if (/^cluster_enabled:1/m.test(info))
            throw new Error(`Redis at ${redactedUrl(url)} is a node of a Redis Cluster: set LONGHAUL_REDIS_CLUSTER=1.`);
        const problem = serverProblem(info);
        if (problem !== undefined)
            throw new Error(problem);
    }
    catch (error) {
        redis.disconnect();
        throw error;
    }
    return {
        redis,
        isOneServer: true,
        another: () => connected(commandConnection(url, role), url, onError),
        subscriber: () => connected(subscriberConnection(url, role), url, onError),
        jobs: () => connected(jobsConnection(url), url, onError),
        memory: async () => [await redis.info('memory')],
        ping: async () => {
            await redis.ping();
        },
    };
}
//# sourceMappingURL=access.js.map