/**
 * The health checks of a worker, on a port of its own. The answers come from the worker's main thread,
 * so a step that never yields is found by their absence.
 */
import { within } from '@longhaul/runtime/within';
import { TaskError } from '@longhaul/tasks';
import { fastify } from 'fastify';
const PATIENCE_MS = 2_000;
/** `/livez`: the main thread answers. `/readyz`: the worker takes jobs, and its store answers and has room. Not yet listening. */
export function buildHealth({ phase, ping, patienceMs = PATIENCE_MS }) {
    const app = fastify({ forceCloseConnections: true });
    app.get('/livez', () => ({ status: 'ok' }));
    app.get('/readyz', async (_request, reply) => {
        if (phase() !== 'taking jobs')
            return reply.code(503).send({ status: phase() });
        const status = await statusOf(ping, patienceMs);
        return reply.code(status === 'ready' ? 200 : 503).send({ status });
    });
    return app;
}
function statusOf(ping, withinMs) {
    const answered = ping().then(() => 'ready', (error) => (error instanceof TaskError && error.code === 'STORE_FULL' ? 'store full' : 'store unavailable'));
    return within(withinMs, answered, () => 'store unavailable');
}
/** Starts to listen. @throws Error that names the setting */
export async function listenForHealthChecks(app, host, port) {
    try {
        await app.listen({ host, port });
    }
    catch (error) {
        throw new Error(`LONGHAUL_HEALTH_PORT=${port}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
}
//# sourceMappingURL=health.js.map