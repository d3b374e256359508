/**
 * How long a client may take to send a request and to read what was answered, and how many may be connected: what is slower,
 * or more, is cut off. To make an answer may take as long as it takes. Behind a proxy that takes requests in before it passes
 * them on, it is the proxy's limits that clients meet.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import type { ConnectionLimits } from '../config.js';
import { networkOf } from '@longhaul/runtime/network-of';
import { shareConnections } from './connection-shares.js';
import { rareWarnings } from './rare-warnings.js';
import { SlowConnections } from './slow-connections.js';

/** Of all connections, for one address. */
const MAX_SHARE = 0.5;
/** How exact the limits of headers and requests are. */
const MAX_CHECK_INTERVAL_MS = 1_000;

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** The limits that Node keeps to. */
export function serverOptions({ headersMs, requestMs, idleMs }: ConnectionLimits) {
  return {
    // Node wants the first not to be longer than the second.
    http: {
      headersTimeout: Math.min(headersMs, requestMs),
      connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headersMs, requestMs),
    },
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
  } satisfies FastifyHttpOptions<Server>;
}

/** What the limits of connections need beside themselves. */
export interface LimitConnectionsDeps {
  /** Proxies in front of the gateway: with any, all connections are theirs, and one address may have them all. */
  readonly proxyHops: number;
  readonly logger: Logger;
}

/** The limits that Node does not have, and what is logged of those that are reached. */
export function limitConnections(server: Server, limits: ConnectionLimits, { proxyHops, logger }: LimitConnectionsDeps): void {
  const { bodySilenceMs, refusedMs, maxConnections } = limits;
  const warn = rareWarnings(logger);
  const slow = new SlowConnections(server, limits, warn);
  server.maxConnections = maxConnections;
  server.on('drop', (dropped) =>
    warn(`All ${maxConnections} connections are taken (LONGHAUL_MAX_CONNECTIONS): new ones are closed.`, {
      network: networkOf(dropped?.remoteAddress),
    }),
  );
  if (proxyHops === 0)
    shareConnections(server, Math.ceil(maxConnections * MAX_SHARE), (network) =>
      warn(
        'One address has half of all connections (LONGHAUL_MAX_CONNECTIONS): more of it are closed. Is it a proxy? Set LONGHAUL_PROXY_HOPS.',
        {
          network,
        },
      ),
    );
  server.prependListener('request', (request, response) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    request.setTimeout(bodySilenceMs, () => {
      if (!response.headersSent) socket.write(TIMED_OUT);
      socket.destroySoon();
    });
    // What the answer takes is another matter (see slow-connections.ts); after it the limit is that of an idle connection, which
    // Node has set.
    request.on('end', () => {
      if (!response.writableFinished) socket.setTimeout(0);
    });
    // Nobody reads such a body, whose end would be missed while there is no answer.
    if (request.method === 'GET') request.resume();
    else slow.bodyBegins(request, response);
    response.on('finish', () => {
      if (request.complete) return;
      const timer = setTimeout(() => socket.destroy(), refusedMs);
      for (const event of ['end', 'close'] as const) request.once(event, () => clearTimeout(timer));
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
