/**
 * Limits how long a client may take to send a request and to read the answer, and how many may be connected: slower and further clients are
 * disconnected. The gateway itself may take any time to make an answer. Behind a proxy that reads whole requests before it forwards them,
 * the proxy's limits apply to clients.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { FastifyHttpOptions } from 'fastify';
import type { Logger } from 'pino';
import type { ConnectionLimits } from '../config.js';
import { shareConnections } from '@longhaul/runtime/connection-shares';
import { networkOf } from '@longhaul/runtime/network-of';
import { rareWarnings } from '@longhaul/runtime/rare-warnings';
import { SlowConnections } from './slow-connections.js';

/** The precision of the limits for headers and requests. */
const MAX_CHECK_INTERVAL_MS = 1_000;

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** The limits that Node enforces. */
export function serverOptions({ headersMs, requestMs, idleMs }: ConnectionLimits) {
  return {
    // Node requires that the first is not longer than the second.
    http: {
      headersTimeout: Math.min(headersMs, requestMs),
      connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, headersMs, requestMs),
    },
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
  } satisfies FastifyHttpOptions<Server>;
}

/** The parts that the limits need. */
export interface LimitConnectionsDeps {
  /** Proxies in front of the gateway: with any, all connections belong to them, and one address may have all. */
  readonly proxyHops: number;
  readonly logger: Logger;
}

/** Enforces the limits that Node does not have, and logs when they are reached. */
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
    shareConnections(server, maxConnections, (network) =>
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
    // The answer has its own limits (see slow-connections.ts); after it the limit for idle connections applies, which Node has set.
    request.on('end', () => {
      if (!response.writableFinished) socket.setTimeout(0);
    });
    // The body of a GET is not used, and if it were not read, its end would be missed while there is no answer.
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
