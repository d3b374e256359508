/**
 * Limits how long a client may take to send a request, and how many may be connected. These clients have not shown a token yet, so slower
 * ones, and further ones, are disconnected.
 */
import type { Server } from 'node:http';
import { shareConnections } from '@longhaul/runtime/connection-shares';
import { networkOf } from '@longhaul/runtime/network-of';
import { rareWarnings } from '@longhaul/runtime/rare-warnings';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';

export interface ConnectionLimits {
  /** The limit for all headers of a request, milliseconds. */
  readonly headersMs: number;
  /** The limit for a request with its body, milliseconds. */
  readonly requestMs: number;
  /** Connections of the process. */
  readonly maxConnections: number;
}

export const CONNECTION_LIMITS: ConnectionLimits = { headersMs: 10_000, requestMs: 60_000, maxConnections: 1_000 };

/** The precision of the time limits. */
const MAX_CHECK_INTERVAL_MS = 1_000;

/** The limits that Node enforces. */
export function serverOptions({ headersMs, requestMs }: ConnectionLimits) {
  return {
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headersMs, requestMs) },
    requestTimeout: requestMs,
  } satisfies FastifyHttpOptions<Server>;
}

/** What the limits of connections need beside themselves. */
export interface LimitConnectionsDeps {
  /** Proxies in front of the operator API: with any, all connections are theirs, and one address may have them all. */
  readonly proxyHops: number;
  readonly logger: Logger;
}

/** The limits of all connections and of one address, which Node does not have. */
export function limitConnections(server: Server, { maxConnections }: ConnectionLimits, { proxyHops, logger }: LimitConnectionsDeps): void {
  const warn = rareWarnings(logger);
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) =>
    warn(`All ${maxConnections} connections of the operator API are taken: new ones are closed.`, {
      network: networkOf(dropped?.remoteAddress),
    }),
  );
  if (proxyHops > 0) return;
  shareConnections(server, maxConnections, (network) =>
    warn(
      'One address has half of all connections of the operator API: more of it are closed. Is it a proxy? Set LONGHAUL_OPS_PROXY_HOPS.',
      {
        network,
      },
    ),
  );
}
