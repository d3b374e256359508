/**
 * Answers the health checks of a worker, on a port of its own. The answers come from the worker's main thread, so a health check without an
 * answer shows a step that never yields.
 */
import { within } from '@longhaul/runtime/within';
import { TaskError } from '@longhaul/tasks';
import { fastify, type FastifyInstance } from 'fastify';

/** Which phase a worker is in. */
export type Phase = 'starting' | 'taking jobs' | 'draining';

/** The facts that readiness depends on. */
export interface Health {
  readonly phase: () => Phase;
  /** Resolves when the store answers and has room. */
  readonly ping: () => Promise<void>;
  /** The time limit for the store's answer. Default 2,000: a worker's own commands wait longer than a health check does. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 2_000;

/**
 * `/livez`: the main thread answers. `/readyz`: the worker takes jobs, and its store answers and has room. The server does not listen yet.
 */
export function buildHealth({ phase, ping, patienceMs = PATIENCE_MS }: Health): FastifyInstance {
  const app = fastify({ forceCloseConnections: true });
  app.get('/livez', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    if (phase() !== 'taking jobs') return reply.code(503).send({ status: phase() });
    const status = await statusOf(ping, patienceMs);
    return reply.code(status === 'ready' ? 200 : 503).send({ status });
  });
  return app;
}

function statusOf(ping: () => Promise<void>, withinMs: number): Promise<'ready' | 'store full' | 'store unavailable'> {
  const answered = ping().then(
    () => 'ready' as const,
    (error: unknown) => (error instanceof TaskError && error.code === 'STORE_FULL' ? 'store full' : 'store unavailable'),
  );
  return within(withinMs, answered, () => 'store unavailable');
}

/** Starts to listen. @throws Error that names the setting */
export async function listenForHealthChecks(app: FastifyInstance, host: string, port: number): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw new Error(`LONGHAUL_HEALTH_PORT=${port}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
