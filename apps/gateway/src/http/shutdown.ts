import { within } from '@longhaul/runtime/within';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** The server that is stopped, and the time limit. */
export interface Shutdown {
  readonly app: FastifyInstance;
  readonly drainMs: number;
  readonly logger: Logger;
}

/** Stops a gateway: running requests may end within `drainMs`, then their connections are cut. */
export async function shutDown({ app, drainMs, logger }: Shutdown): Promise<void> {
  const closed = app.close();
  const isClosed = await within(
    drainMs,
    closed.then(() => true),
    () => false,
  );
  if (isClosed) return;
  logger.warn('drain time has ended: cutting connections');
  app.server.closeAllConnections();
  await closed;
}
