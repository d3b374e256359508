/**
 * Limits how long a client may take to send a request, and how many may be connected. These clients have not shown a token yet, so slower
 * ones, and further ones, are disconnected.
 */
import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance } from 'fastify';
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

export function limitConnections({ server }: FastifyInstance, { maxConnections }: ConnectionLimits, logger: Logger): void {
  server.maxConnections = maxConnections;
  let isSaid = false;
  server.on('drop', () => {
    if (!isSaid) logger.warn(`All ${maxConnections} connections of the operator API are taken: new ones are closed.`);
    isSaid = true;
  });
}
