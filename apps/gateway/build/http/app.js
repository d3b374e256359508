import { fastify } from 'fastify';
import { RpcCode } from '../rpc/errors.js';
import { createAdmit } from './admit.js';
import { createAllowance } from './allowance.js';
import { limitConnections, serverOptions } from './connection-limits.js';
import { registerHealthRoutes } from './health-routes.js';
import { createHostCheck } from './host-check.js';
import { httpErrorHandler, sendFailure } from './http-errors.js';
import { IdleConnections } from './idle-connections.js';
import { MCP_PATH, registerMcpRoutes } from './mcp-routes.js';
import { registerMetadataRoutes } from './metadata-routes.js';
/** Routes have no schemas here, so that Fastify need not load what compiles them: a hundred modules at each start. */
function hasNoSchema() {
    throw new Error('A route of the gateway has a schema, which nothing here compiles.');
}
/**
 * The gateway, not yet listening. Closing it sends those who wait for tasks to other gateways, and lets
 * the other requests finish.
 */
export function buildApp(deps) {
    const { generation2025, generation2026, listChanges, access, scopesOfTasks, countRequests, ping, onRefused, config, logger, closing } = deps;
    const { bodyLimitBytes, connections, drainMs, proxyHops } = config;
    // Requests on connections that are open still are answered while it closes: by the routes, which know which ones.
    const app = fastify({
        bodyLimit: bodyLimitBytes,
        forceCloseConnections: 'idle',
        return503OnClosing: false,
        trustProxy: (_address, hop) => hop < proxyHops,
        schemaController: { compilersFactory: { buildValidator: hasNoSchema, buildSerializer: hasNoSchema } },
        ...serverOptions(connections),
    });
    limitConnections(app.server, connections, { proxyHops, logger });
    const idleConnections = new IdleConnections(app.server);
    let drainedBy = Infinity;
    app.addHook('onReady', async () => {
        await Promise.all([generation2025.start(), generation2026.start()]);
    });
    // Not before clients can read the lists here.
    app.addHook('onListen', () => listChanges.start());
    app.addHook('preClose', (done) => {
        closing.abort();
        drainedBy = performance.now() + drainMs;
        generation2025.sayGoodbye();
        generation2026.sayGoodbye();
        idleConnections.drop();
        done();
    });
    app.addHook('onClose', async () => {
        await generation2025.stop(drainedBy - performance.now());
        generation2026.stop();
        await listChanges.stop();
    });
    app.setErrorHandler(httpErrorHandler(logger, bodyLimitBytes, onRefused));
    app.setNotFoundHandler((_request, reply) => sendFailure(reply, { httpStatus: 404, code: RpcCode.Transport, message: `Not found. The MCP endpoint is ${MCP_PATH}.` }));
    registerHealthRoutes(app, { ping, isDraining: () => closing.signal.aborted });
    const checkHost = createHostCheck(config);
    app.register((scope, _options, done) => {
        deps.trail?.watch(scope);
        registerMcpRoutes(scope, {
            generation2025,
            generation2026,
            admit: createAdmit(checkHost, deps.authenticate),
            allowance: createAllowance({ ...access, scopesOfTasks }),
            countRequests,
            bodyLimits: { maxValues: config.bodyLimitValues, inWorkBytes: config.bodiesInWorkBytes },
            closing: closing.signal,
        });
        done();
    });
    registerMetadata(app, access.metadata, checkHost);
    return app;
}
function registerMetadata(app, metadata, checkHost) {
    if (metadata === undefined)
        return;
    app.register((scope, _options, done) => {
        registerMetadataRoutes(scope, metadata, checkHost);
        done();
    });
}
//# sourceMappingURL=app.js.map