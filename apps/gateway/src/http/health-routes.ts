import { TaskError } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';

/** The facts that readiness depends on. */
export interface Health {
  /** Resolves when the store answers and has room. @throws TaskError `STORE_FULL` when it only lacks room */
  readonly ping: () => Promise<void>;
  readonly isDraining: () => boolean;
  /** Whether this gateway's own worker ends again and again. */
  readonly isWorkerFailing: () => boolean;
}

/** Causes that may be excluded: the gateway still accepts requests, because answers and cancellations are recorded. */
const EXCLUDED = { full: 'store full', worker: 'worker keeps ending' } as const;

/**
 * `/healthz`: the process is up. `/readyz`: it accepts everything, and its worker runs. `/readyz?exclude=full,worker`: the same, but a full
 * store, or a worker that keeps ending, counts as ready: for load balancers.
 */
export function registerHealthRoutes(app: FastifyInstance, health: Health): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (request, reply) => {
    const status = await statusOf(health);
    const { exclude } = request.query as { readonly exclude?: unknown };
    const excluded = typeof exclude === 'string' ? exclude.split(',') : [];
    const isReady = status === 'ready' || excluded.some((name) => EXCLUDED[name as keyof typeof EXCLUDED] === status);
    if (isReady) return { status };
    if (status !== 'draining') reply.header('retry-after', '1');
    return reply.code(503).send({ status });
  });
}

async function statusOf({ ping, isDraining, isWorkerFailing }: Health): Promise<string> {
  if (isDraining()) return 'draining';
  try {
    await ping();
  } catch (error) {
    return error instanceof TaskError && error.code === 'STORE_FULL' ? EXCLUDED.full : 'store unavailable';
  }
  return isWorkerFailing() ? EXCLUDED.worker : 'ready';
}
