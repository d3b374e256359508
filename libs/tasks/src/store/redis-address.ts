/** Where Redis is: `redis://`, `rediss://` (TLS), `unix:///path` or a plain path of a socket; of a cluster, nodes separated by commas. */
export type RedisUrl = string;

/** Nodes to ask for the rest of a cluster, and what all of its nodes are connected to with. */
export interface ClusterAddress {
  readonly seeds: readonly { readonly host: string; readonly port: number }[];
  readonly username?: string;
  readonly password?: string;
  /** Encrypted; nodes prove themselves by the certificate authorities of the system. */
  readonly tls: boolean;
}

const DEFAULT_PORT = 6379;

/**
 * Reads the nodes of a cluster. User, password and TLS of the first address count for all; the others may be no more than `host:port`.
 *
 * @throws Error with one line that says what is wrong
 */
export function clusterAddress(url: RedisUrl): ClusterAddress {
  const [first = '', ...others] = url.split(',').map((item) => item.trim());
  const nodes = [first, ...others.map((item) => (item.includes('://') ? item : `redis://${item}`))].map((item) => {
    const node = URL.parse(item);
    const isNode = node !== null && /^rediss?:$/.test(node.protocol) && node.hostname !== '';
    if (!isNode) throw new Error(`A Redis Cluster is reached at redis:// or rediss:// addresses only, not at ${redactedUrl(item)}.`);
    if (!/^\/?0?$/.test(node.pathname)) throw new Error(`A Redis Cluster has no databases: leave out ${node.pathname} in its address.`);
    return node;
  });
  const { protocol, username, password } = nodes[0] ?? new URL(first);
  return {
    seeds: nodes.map(({ hostname, port }) => ({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || DEFAULT_PORT) })),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    tls: protocol === 'rediss:',
  };
}

/** The address without user, password and query, for messages. */
export function redactedUrl(url: RedisUrl): string {
  return url
    .split(/,(?=rediss?:\/\/)/)
    .map(redacted)
    .join(',');
}

function redacted(url: string): string {
  const parsed = URL.parse(url);
  if (parsed !== null) return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  const [address = ''] = url.replace(/\/\/.*@/, '//').split('?', 1);
  return address;
}
