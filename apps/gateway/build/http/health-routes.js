import { TaskError } from '@longhaul/tasks';
/**
 * `/healthz`: the process is up. `/readyz`: it takes everything. `/readyz?exclude=full`: the same, but a full store counts as
 * one that serves: for what sends requests on by it, because answers and cancellations are taken then too.
 */
export function registerHealthRoutes(app, { ping, isDraining }) {
    app.get('/healthz', () => ({ status: 'ok' }));
    app.get('/readyz', async (request, reply) => {
        if (isDraining())
            return reply.code(503).send({ status: 'draining' });
        try {
            await ping();
            return { status: 'ready' };
        }
        catch (error) {
            const isFull = error instanceof TaskError && error.code === 'STORE_FULL';
            if (isFull && request.query.exclude === 'full')
                return { status: 'store full' };
            return reply
                .code(503)
                .header('retry-after', '1')
                .send({ status: isFull ? 'store full' : 'store unavailable' });
        }
    });
}
//# sourceMappingURL=health-routes.js.map