import { requireTlsFiles, splitTlsFiles, type TlsMaterial } from './tls.js';

/**
 * An address of Redis: `redis://`, `rediss://` (TLS; `tls.ts` describes its parameters), `unix:///path` or the plain path of a socket; for
 * a cluster, nodes separated by commas.
 */
export type RedisUrl = string;

/** The nodes that know the rest of a cluster, and the credentials for all of its nodes. */
export interface ClusterAddress {
  readonly seeds: readonly { readonly host: string; readonly port: number }[];
  readonly username?: string;
  readonly password?: string;
  /** Encrypted; the certificates of nodes are checked against the system's authorities, or against the authorities in `tlsFiles`. */
  readonly tls: boolean;
  /** Paths of further files for TLS. */
  readonly tlsFiles?: TlsMaterial;
}

const DEFAULT_PORT = 6379;
const MAX_PORT = 65_535;

/**
 * Reads the nodes of a cluster. User, password and TLS of the first address apply to all; the others may be only `host:port`.
 *
 * @throws Error with one line that says what is wrong
 */
export function clusterAddress(url: RedisUrl): ClusterAddress {
  const { url: nodesOnly, files: tlsFiles } = splitTlsFiles(url);
  const [first = '', ...others] = nodesOnly.split(',').map((item) => item.trim());
  const nodes = [first, ...others.map((item) => (item.includes('://') ? item : `redis://${item}`))].map((item) => {
    const node = URL.parse(item);
    const isNode = node !== null && /^rediss?:$/.test(node.protocol) && node.hostname !== '';
    if (!isNode) throw new Error(`A Redis Cluster is reached at redis:// or rediss:// addresses only, not at ${redactedUrl(item)}.`);
    if (!/^\/?0?$/.test(node.pathname)) throw new Error('A Redis Cluster has no databases: leave out the path of its address.');
    return node;
  });
  const { protocol, username, password } = nodes[0] ?? new URL(first);
  return {
    seeds: nodes.map(({ hostname, port }) => ({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) })),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    tls: protocol === 'rediss:',
    ...(tlsFiles !== undefined && { tlsFiles }),
  };
}

const HIDDEN = '***';

/** User and password, in which a `?` or a `#` must be escaped; the address; the query. */
const SERVER = /^(rediss?:\/\/)(?:[^?#]*@)?([^@?#]+)(?:\?[^@]*)?$/;
const HOST = /^(?:[\w.-]+|\[[\da-f:]+\])(?::\d{1,5})?(?:\/\d*)?$/i;
const SOCKET = /^((?:unix:\/\/)?\/[^@?]*)(?:\?.*)?$/;

/**
 * The part of an address that a message or a screen may show: only hosts, ports, database and path. An unreadable part is not shown,
 * because it might belong to a password.
 */
export function redactedUrl(url: RedisUrl): string {
  return url
    .split(/,(?=rediss?:\/\/)/)
    .map(redacted)
    .join(',');
}

function redacted(url: string): string {
  const [, path] = SOCKET.exec(url) ?? [];
  if (path !== undefined) return path;
  const [, scheme = '', hosts = ''] = SERVER.exec(url) ?? [];
  return hosts.split(',').every((host) => HOST.test(host.trim())) ? `${scheme}${hosts}` : HIDDEN;
}

/**
 * @throws Error with one line that says what to do: user or password cannot be decoded, port or database are not numbers, or files for TLS
 * are wrong
 */
export function requireReadable(url: RedisUrl): void {
  try {
    decodeURIComponent(url);
  } catch {
    throw new Error('REDIS_URL has a % that begins no escape such as %40: write a % of the user or the password as %25.');
  }
  requireTlsFiles(url);
  const [, , hosts] = SERVER.exec(url) ?? [];
  const [, port, path] = /^[^/]*?(?::(\d+))?(\/.*)?$/.exec(hosts?.split(',')[0] ?? '') ?? [];
  if (Number(port ?? 0) > MAX_PORT) throw new Error(`REDIS_URL has the port ${port}: it must be a number from 1 to ${MAX_PORT}.`);
  if (!/^\/?\d*$/.test(path ?? ''))
    throw new Error('REDIS_URL has something after its host that is not the number of a database, such as /0.');
}
