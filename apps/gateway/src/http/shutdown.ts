import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';

/** What is to be stopped, and how patiently. */
export interface Shutdown {
  readonly app: FastifyInstance;
  readonly drainMs: number;
  readonly logger: Logger;
}

/** Stops a gateway: requests under way may end within `drainMs`, then their connections are cut. */
export async function shutDown({ app, drainMs, logger }: Shutdown): Promise<void> {
  const deadline = new AbortController();
  try {
    const closed = app.close().then(() => true);
    const late = wait(drainMs, false, { signal: deadline.signal }).catch(() => false);
    if (await Promise.race([closed, late])) return;
    logger.warn('drain time is over: cutting connections');
    app.server.closeAllConnections();
    await closed;
  } finally {
    deadline.abort();
  }
}
