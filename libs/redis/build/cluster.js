/**
 * Connections to a Redis Cluster: the same kinds as to one server, with the same promises. A node
 * whose connection ends leaves the pool, and the next command for its slots asks another node, which
 * knows who serves them now; so a failover is noticed by the first command after it. What does not
 * come by itself: a host that is gone without a word is found out by asking for the slots every few
 * seconds, and commands must not wait without limit while no node can be reached.
 */
import { Cluster, Redis } from 'ioredis';
import { announceCommands } from './commands.js';
import { COMMAND_TIMEOUT_MS, CONNECT_TIMEOUT_MS, forJobs, forSubscriptions, reconnectDelay, } from './connection.js';
import { readTlsFiles } from './tls.js';
import { letScriptsFit } from './when-full.js';
import { coalesceWrites } from './write-coalescing.js';
const SLOTS_REFRESH_MS = 5_000;
/** Pause before a command is tried again whose node cannot be reached or says that the cluster is down. */
const RETRY_DELAY_MS = 250;
const patience = { retryDelayOnFailover: RETRY_DELAY_MS, retryDelayOnClusterDown: RETRY_DELAY_MS };
/** What becomes of a command whose node cannot be reached. */
const WHEN_AWAY = {
    gateway: { retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
    // An attempt takes up to two redirections, so this lasts about as long as the role's timeout.
    worker: { ...patience, maxRedirections: (2 * COMMAND_TIMEOUT_MS.worker) / RETRY_DELAY_MS },
    // As often as it takes: a job must be taken and ended whenever Redis is back.
    jobs: { ...patience, maxRedirections: Number.MAX_SAFE_INTEGER },
};
/** A cluster client whose commands do not outlive their timeout while no node can be reached. */
class BoundedCluster extends Cluster {
    user;
    constructor(address, options, user) {
        super([...address.seeds], options);
        this.user = user;
    }
    sendCommand(...args) {
        const [command] = args;
        // It timed out while it waited: it must not be written after its caller has gone on.
        if (command.isSettled)
            return command.promise;
        if (this.status !== 'ready') {
            if (this.user === 'gateway') {
                command.reject(new Error("Cluster isn't ready"));
                return command.promise;
            }
            command.setTimeout(COMMAND_TIMEOUT_MS.worker);
        }
        return super.sendCommand(...args);
    }
}
/** The connections that the store, the index, the agenda and the queue's producer share. */
export function commandCluster(address, role) {
    const connection = { commandTimeout: COMMAND_TIMEOUT_MS[role], connectionName: `longhaul-${role}` };
    const cluster = new BoundedCluster(address, clusterOptions(address, role, connection), role);
    letScriptsFit(cluster);
    cluster.on('+node', coalesceWrites);
    cluster.on('+node', announceCommands);
    return cluster;
}
/** The connections that a BullMQ worker starts from; the worker duplicates them for its blocking commands. */
export function jobsCluster(address) {
    const cluster = new Cluster([...address.seeds], clusterOptions(address, 'jobs', forJobs));
    letScriptsFit(cluster);
    cluster.on('+node', coalesceWrites);
    cluster.on('+node', announceCommands);
    return cluster;
}
/**
 * The connection of all subscriptions: to one node, because nodes pass on messages among themselves.
 * Each time it breaks, another node is tried. (The subscriber in ioredis' cluster client moves as
 * well, but reports it nowhere, and a listener must know that it may have missed something.)
 *
 * @param cluster knows the nodes
 */
export function clusterSubscriber(cluster, address, role) {
    const subscriber = new Redis({
        ...nodeOptions(address),
        ...forSubscriptions,
        ...anyNode(cluster),
        connectionName: `longhaul-${role}-subscriber`,
        lazyConnect: true,
        retryStrategy: (attempt) => {
            Object.assign(subscriber.options, anyNode(cluster));
            return reconnectDelay(attempt);
        },
    });
    coalesceWrites(subscriber);
    // A host that is gone without a word would leave it deaf for the kernel's TCP timeout of minutes.
    cluster.on('-node', ({ options: { host, port } }) => {
        const isOurs = subscriber.options.host === host && subscriber.options.port === port;
        if (isOurs && subscriber.status === 'ready')
            subscriber.disconnect(true);
    });
    return subscriber;
}
/** A connection to the first seed alone, tried once: its error says more than that of the cluster. */
export function seedConnection(address) {
    return new Redis({ ...nodeOptions(address), ...address.seeds[0], retryStrategy: () => null, lazyConnect: true });
}
/** A master, rather one that answers; nothing when none is known at the moment. */
function anyNode(cluster) {
    const masters = cluster.nodes('master');
    const ready = masters.filter(({ status }) => status === 'ready');
    const candidates = ready.length > 0 ? ready : masters;
    const { host, port } = candidates[Math.floor(Math.random() * candidates.length)]?.options ?? {};
    return host === undefined || port === undefined ? {} : { host, port };
}
function clusterOptions(address, user, connection) {
    return {
        ...WHEN_AWAY[user],
        redisOptions: { ...nodeOptions(address), ...connection },
        clusterRetryStrategy: reconnectDelay,
        slotsRefreshInterval: SLOTS_REFRESH_MS,
        // Whether the cluster serves is checked at the start and by each command; ioredis would wait in silence.
        enableReadyCheck: false,
        // Names stay names, because a node's certificate is for its name.
        dnsLookup: (host, done) => done(null, host),
        lazyConnect: true,
    };
}
function nodeOptions({ username, password, tls, tlsFiles }) {
    return {
        ...(username !== undefined && { username }),
        ...(password !== undefined && { password }),
        ...(tls && { tls: tlsFiles === undefined ? {} : { ...readTlsFiles(tlsFiles) } }),
        connectTimeout: CONNECT_TIMEOUT_MS,
    };
}
//# sourceMappingURL=cluster.js.map