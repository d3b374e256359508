import { Refusal, refusalOf, RpcCode, SHUTTING_DOWN } from '../rpc/errors.js';
import { inboundOf } from '../generation-2026/requests/inbound.js';
import { requestIdOf } from '../rpc/messages.js';
import { readJsonBodies } from './read-body.js';
export const MCP_PATH = '/mcp';
/** @param app a scope of its own: what is set on it holds for the endpoint only */
export function registerMcpRoutes(app, { generation2025, generation2026, admit, allowance, countRequests, closing, bodyLimits }) {
    const { isStateless } = generation2025;
    app.addHook('onRequest', admit);
    readJsonBodies(app, bodyLimits);
    const count = (raw, messages) => {
        const request = raw;
        request.counted = countRequests(request, messages);
    };
    app.post(MCP_PATH, (request, reply) => {
        const { body, headers, raw } = request;
        count(raw, Array.isArray(body) ? body.length : 1);
        // Fastify keeps its request for as long as the answer takes, which may be that of a stream. A refusal needs no more of it.
        request.body = { id: requestIdOf(body) };
        const inbound = inboundOf(headers, body);
        const refused = allowance.ofPost(raw, body, inbound === undefined ? '2025-11-25' : '2026-07-28');
        if (refused !== undefined)
            return refused;
        if (inbound === undefined)
            return generation2025.post(request, reply, body);
        if (closing.aborted)
            throw refusalOf(SHUTTING_DOWN);
        return generation2026.serve(inbound, raw, reply.hijack().raw, body);
    });
    if (!isStateless) {
        app.get(MCP_PATH, { exposeHeadRoute: false }, (request, reply) => {
            count(request.raw, 1);
            return allowance.ofGet(request.raw) ?? generation2025.get(request, reply);
        });
        app.delete(MCP_PATH, (request, reply) => {
            count(request.raw, 1);
            return allowance.ofDelete(request.raw) ?? generation2025.delete(request, reply);
        });
    }
    app.route({
        method: ['HEAD', 'PUT', 'PATCH', 'OPTIONS', ...(isStateless ? ['GET', 'DELETE'] : [])],
        url: MCP_PATH,
        exposeHeadRoute: false,
        handler(_request, reply) {
            reply.header('allow', isStateless ? 'POST' : 'GET, POST, DELETE');
            throw new Refusal(405, RpcCode.Transport, 'Method not allowed.');
        },
    });
}
//# sourceMappingURL=mcp-routes.js.map