/**
 * Connections to one Redis server, one kind for each use, and what they share with those to a cluster. All of them try to reconnect for
 * ever, at most one second apart; they differ in what happens to commands during an outage.
 */
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisClient } from './client.js';
import { redactedUrl, type RedisUrl } from './address.js';
import { announceCommands } from './commands.js';
import { readTlsFiles, splitTlsFiles } from './tls.js';
import { letScriptsFit } from './when-full.js';
import { coalesceWrites } from './write-coalescing.js';

/** Who uses the connections: people wait for a gateway's answers, but a worker would rather wait than run a step again. */
export type RedisRole = 'gateway' | 'worker';

/** Replies keep their RESP2 shape, which is the type of `Redis` without a type argument. */
export type ConnectionOptions = Omit<RedisOptions, 'replyMapping'>;

const MAX_RECONNECT_DELAY_MS = 1000;

/**
 * The default of ioredis grows to 5 s and BullMQ's own to 20 s. With them a worker was idle for 18 s after Redis had come back (measured);
 * with this cap it was 0.5 s.
 */
export function reconnectDelay(attempt: number): number {
  return Math.min(50 * 2 ** (attempt - 1), MAX_RECONNECT_DELAY_MS);
}

/** How long to try one address, milliseconds. */
export const CONNECT_TIMEOUT_MS = 5000;

const common: ConnectionOptions = {
  retryStrategy: reconnectDelay,
  // After a failover this address may be a replica: connect again to find the new primary.
  reconnectOnError: (error) => error.message.startsWith('READONLY'),
  connectTimeout: CONNECT_TIMEOUT_MS,
  lazyConnect: true,
};

/** A gateway fails fast: the client gets an error that it can retry, not a request that hangs. */
const failFast: ConnectionOptions = {
  enableOfflineQueue: false,
  // Commands in flight when the connection breaks are rejected, not sent again.
  maxRetriesPerRequest: 0,
};

/** A worker waits through a short interruption, because after a failed command the pass and its open step must run again. */
const patient: ConnectionOptions = {
  // About 4.5 s with the delays above. The number is finite, so that no append is sent long after its caller stopped waiting.
  maxRetriesPerRequest: 8,
};

/** No command of the role takes longer than this, milliseconds. */
export const COMMAND_TIMEOUT_MS: Readonly<Record<RedisRole, number>> = { gateway: 2000, worker: 5000 };

/** Options of the connection of all subscriptions. */
export const forSubscriptions: ConnectionOptions = {
  ...failFast,
  commandTimeout: COMMAND_TIMEOUT_MS.gateway,
  // `RedisSubscriptions` subscribes again itself, because it must know when that has succeeded.
  autoResubscribe: false,
};

/** Options of the connections that a BullMQ worker uses. */
export const forJobs: ConnectionOptions = {
  // BullMQ refuses blocking connections with another value: a job must be taken and ended when Redis is back.
  maxRetriesPerRequest: null,
  // Without it a half-open connection (host gone, no FIN) stalls the worker for the kernel's TCP timeout of
  // minutes. Longer than BullMQ's longest blocking command, 10 s.
  socketTimeout: 20_000,
  connectionName: 'longhaul-worker-jobs',
};

/** The connection that the store, the index, the agenda and the queue's producer share. */
export function commandConnection(url: RedisUrl, role: RedisRole): Redis {
  const options = role === 'gateway' ? failFast : patient;
  return connection(url, { ...options, commandTimeout: COMMAND_TIMEOUT_MS[role], connectionName: `longhaul-${role}` });
}

/** The connection of all subscriptions. */
export function subscriberConnection(url: RedisUrl, role: RedisRole): Redis {
  return connection(url, { ...forSubscriptions, connectionName: `longhaul-${role}-subscriber` });
}

/** The connection that a BullMQ worker starts from; the worker duplicates it for its blocking commands. */
export function jobsConnection(url: RedisUrl): Redis {
  return connection(url, forJobs);
}

/**
 * Connects.
 *
 * @param onError called with every error of the connection after it was there
 * @throws Error with one line that says what is wrong
 */
export async function connected<Client extends RedisClient>(
  client: Client,
  url: RedisUrl,
  onError: (error: unknown) => void,
): Promise<Client> {
  let lastError: unknown;
  let wasConnected = false;
  // Without a listener ioredis prints errors. It connects again by itself, so they need no action. The first one is thrown.
  client.on('error', (error: unknown) => {
    lastError = error;
    if (wasConnected) onError(error);
  });
  try {
    await client.connect();
    wasConnected = true;
    return client;
  } catch (error) {
    client.disconnect();
    throw new Error(`Redis at ${redactedUrl(url)} ${refusal(lastError ?? error, url)}`, { cause: error });
  }
}

function refusal(error: unknown, url: RedisUrl): string {
  // All nodes of a cluster failed; the last one's error says more than this error.
  const cause: unknown = error instanceof Error && 'lastNodeError' in error ? error.lastNodeError : error;
  const [name, message] = cause instanceof Error ? [cause.name, cause.message] : ['', String(cause)];
  if (message.includes('cluster support disabled')) return 'is no cluster: unset LONGHAUL_REDIS_CLUSTER, or set REDIS_URL to nodes of one.';
  // A reply means that the server answers: most often the password is missing or wrong.
  return name === 'ReplyError' ? `refuses the connection: ${message}` : `does not answer: ${message}${tlsHint(message, url)}`;
}

/**
 * A server without TLS takes the handshake for an unfinished command and waits, and a server with TLS closes the connection after bytes
 * that are no handshake.
 */
function tlsHint(message: string, url: RedisUrl): string {
  if (url.startsWith('rediss:') && message.includes('ETIMEDOUT')) return ' (if it has no TLS, its address begins with redis://)';
  if (/certificate required/.test(message)) return ' (name a certificate of the client: ?cert=PATH&key=PATH at the end of the address)';
  if (/certificate/.test(message)) return ' (name an authority of your own: ?ca=PATH at the end of the address)';
  if (url.startsWith('redis:') && /ECONNRESET|EPIPE|Connection is closed/.test(message))
    return ' (if it wants TLS, its address begins with rediss://)';
  return '';
}

/** Ends the connection after the commands that were sent, or at once when it is down. */
export async function closeConnection(client: RedisClient): Promise<void> {
  if (client.status !== 'ready') {
    client.disconnect();
    return;
  }
  await client.quit().catch(() => client.disconnect());
}

function connection(url: RedisUrl, options: ConnectionOptions): Redis {
  const path = url.startsWith('unix://') ? url.slice('unix://'.length) : url;
  if (/^rediss?:/.test(path) && !URL.canParse(path))
    throw new Error(
      `Redis cannot be at ${redactedUrl(url)}: name one server, with user and password percent-encoded, or set LONGHAUL_REDIS_CLUSTER=1 for several nodes of a cluster.`,
    );
  const { url: address, files } = splitTlsFiles(path);
  const redis = new Redis(address, { ...common, ...options, ...(files !== undefined && { tls: readTlsFiles(files) }) });
  coalesceWrites(redis);
  announceCommands(redis);
  letScriptsFit(redis);
  return redis;
}
