import type { FastifyInstance } from 'fastify';

/** What readiness depends on. */
export interface Health {
  /** Resolves when the store answers. */
  readonly ping: () => Promise<void>;
  readonly isDraining: () => boolean;
}

/** `/healthz`: the process is up. `/readyz`: it can serve. */
export function registerHealthRoutes(app: FastifyInstance, { ping, isDraining }: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (isDraining()) return reply.code(503).send({ status: 'draining' });
    try {
      await ping();
      return { status: 'ready' };
    } catch {
      return reply.code(503).header('retry-after', '1').send({ status: 'store unavailable' });
    }
  });
}
