import { TaskError } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';

/** What readiness depends on. */
export interface Health {
  /** Resolves when the store answers and has room. @throws TaskError `STORE_FULL` when it only lacks room */
  readonly ping: () => Promise<void>;
  readonly isDraining: () => boolean;
}

/**
 * `/healthz`: the process is up. `/readyz`: it takes everything. `/readyz?exclude=full`: the same, but a full store counts as
 * one that serves: for what sends requests on by it, because answers and cancellations are taken then too.
 */
export function registerHealthRoutes(app: FastifyInstance, { ping, isDraining }: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' });
    try {
      await ping();
      return { status: 'ready' };
    } catch (error) {
      const isFull = error instanceof TaskError && error.code === 'STORE_FULL';
      if (isFull && (request.query as { exclude?: unknown }).exclude === 'full') return { status: 'store full' };
      return reply
        .code(503)
        .header('retry-after', '1')
        .send({ status: isFull ? 'store full' : 'store unavailable' });
    }
  });
}
