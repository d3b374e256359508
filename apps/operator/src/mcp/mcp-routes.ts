/** Offers the operator API as tools of MCP. The access check is the same as for all routes. */
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireOperator } from '../access/access-check.js';
import type { RouteDeps } from '../routes/route-deps.js';
import { OPERATE } from './operate-scope.js';

export function mcpRoutes(scope: FastifyInstance, { version, closing, logger }: RouteDeps): void {
  let loaded: Promise<McpHttpHandler> | undefined;
  // With the first request: the commands of operators, which start this API for a moment, send none.
  const load = async (): Promise<McpHttpHandler> => (await import('./mcp-handler.js')).openMcpHandler(scope, { version, logger });
  const close = async (): Promise<void> => (await loaded)?.close();
  closing.addEventListener('abort', () => void close().catch((error: unknown) => logger.error({ err: error }, 'MCP')));
  // The handler reads bodies itself, so that MCP's own errors answer wrong bodies.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  scope.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    schema: { hide: true },
    config: { isForReaders: true },
    handler: async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { name, role } = requireOperator(request.operator);
      const authInfo = { token: '', clientId: name, scopes: role === 'operate' ? [OPERATE] : [] };
      return reply.send(await (await (loaded ??= load())).fetch(requestOf(request, gone.signal), { authInfo }));
    },
  });
}

function requestOf({ method, url, headers, body }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
  const content = typeof body === 'string' ? { body } : {};
  return new Request(new URL(url, 'http://localhost'), { method, headers: given, signal, ...content });
}
