/**
 * Connections to one Redis server, one kind for each use, and what they share with those to a cluster.
 * All of them try to reconnect for ever, at most one second apart; they differ in what happens to
 * commands meanwhile.
 */
import { Redis } from 'ioredis';
import { redactedUrl } from './address.js';
import { announceCommands } from './commands.js';
import { readTlsFiles, splitTlsFiles } from './tls.js';
import { letScriptsFit } from './when-full.js';
import { coalesceWrites } from './write-coalescing.js';
const MAX_RECONNECT_DELAY_MS = 1000;
/**
 * The default of ioredis grows to 5 s and BullMQ's own to 20 s: a worker stood idle for 18 s after
 * Redis had come back (measured); with this cap it was 0.5 s.
 */
export function reconnectDelay(attempt) {
    return Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS);
}
/** How long to try one address, milliseconds. */
export const CONNECT_TIMEOUT_MS = 5000;
const common = {
    retryStrategy: reconnectDelay,
    // After a failover this address may be a replica: connect again to find the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
    connectTimeout: CONNECT_TIMEOUT_MS,
    lazyConnect: true,
};
/** A gateway fails fast: the client gets an error that it can retry, not a request that hangs. */
const failFast = {
    enableOfflineQueue: false,
    // Commands in flight when the connection breaks are rejected, not sent again.
    maxRetriesPerRequest: 0,
};
/** A worker sits out a short interruption, because a failed command means to run the pass and its open step again. */
const patient = {
    // About 4.5 s with the delays above. Finite, so that no append is sent long after its caller stopped waiting.
    maxRetriesPerRequest: 8,
};
/** No command of the role takes longer than this, milliseconds. */
export const COMMAND_TIMEOUT_MS = { gateway: 2000, worker: 5000 };
/** Options of the connection of all subscriptions. */
export const forSubscriptions = {
    ...failFast,
    commandTimeout: COMMAND_TIMEOUT_MS.gateway,
    // `RedisSubscriptions` subscribes again itself, because it must know when that is done.
    autoResubscribe: false,
};
/** Options of the connections that a BullMQ worker uses. */
export const forJobs = {
    // BullMQ refuses blocking connections with another value: a job must be taken and ended whenever Redis is back.
    maxRetriesPerRequest: null,
    // Without it a half-open connection (host gone, no FIN) stalls the worker for the kernel's TCP timeout of
    // minutes. Longer than BullMQ's longest blocking command, 10 s.
    socketTimeout: 20_000,
    connectionName: 'longhaul-worker-jobs',
};
/** The connection that the store, the index, the agenda and the queue's producer share. */
export function commandConnection(url, role) {
    const options = role === 'gateway' ? failFast : patient;
    return connection(url, { ...options, commandTimeout: COMMAND_TIMEOUT_MS[role], connectionName: `longhaul-${role}` });
}
/** The connection of all subscriptions. */
export function subscriberConnection(url, role) {
    return connection(url, { ...forSubscriptions, connectionName: `longhaul-${role}-subscriber` });
}
/** The connection that a BullMQ worker starts from; the worker duplicates it for its blocking commands. */
export function jobsConnection(url) {
    return connection(url, forJobs);
}
/**
 * Connects.
 *
 * @param onError called with every error of the connection, also later
 * @throws Error with one line that says what is wrong
 */
export async function connected(client, url, onError) {
    let lastError;
    // Without a listener ioredis prints errors. It connects again by itself, so they need no action.
    client.on('error', (error) => {
        lastError = error;
        onError(error);
    });
    try {
        await client.connect();
        return client;
    }
    catch (error) {
        client.disconnect();
        throw new Error(`Redis at ${redactedUrl(url)} ${refusal(lastError ?? error, url)}`, { cause: error });
    }
}
function refusal(error, url) {
    // All nodes of a cluster failed; the last one's error says more than that.
    const cause = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
    const [name, message] = cause instanceof Error ? [cause.name, cause.message] : ['', String(cause)];
    if (message.includes('cluster support disabled'))
        return 'is no cluster: unset LONGHAUL_REDIS_CLUSTER, or set REDIS_URL to nodes of one.';
    // A reply is an answer: mostly to a missing or wrong password.
    return name === 'ReplyError' ? `refuses the connection: ${message}` : `does not answer: ${message}${tlsHint(message, url)}`;
}
/** A server without TLS waits for the rest of what it takes for a command, and one with TLS hangs up on what is none. */
function tlsHint(message, url) {
    if (url.startsWith('rediss:') && message.includes('ETIMEDOUT'))
        return ' (if it has no TLS, its address begins with redis://)';
    if (/certificate required/.test(message))
        return ' (name a certificate of the client: ?cert=PATH&key=PATH at the end of the address)';
    if (/certificate/.test(message))
        return ' (name an authority of your own: ?ca=PATH at the end of the address)';
    if (url.startsWith('redis:') && /ECONNRESET|EPIPE|Connection is closed/.test(message))
        return ' (if it wants TLS, its address begins with rediss://)';
    return '';
}
/** Ends the connection after the commands that were sent, or at once when it is down. */
export async function closeConnection(client) {
    if (client.status !== 'ready') {
        client.disconnect();
        return;
    }
    await client.quit().catch(() => client.disconnect());
}
function connection(url, options) {
    const path = url.startsWith('unix://') ? url.slice('unix://'.length) : url;
    if (/^rediss?:/.test(path) && !URL.canParse(path))
        throw new Error(`Redis cannot be at ${redactedUrl(url)}: name one server, with user and password percent-encoded, or set LONGHAUL_REDIS_CLUSTER=1 for several nodes of a cluster.`);
    const { url: address, files } = splitTlsFiles(path);
    const redis = new Redis(address, { ...common, ...options, ...(files !== undefined && { tls: readTlsFiles(files) }) });
    coalesceWrites(redis);
    announceCommands(redis);
    letScriptsFit(redis);
    return redis;
}
//# sourceMappingURL=connection.js.map