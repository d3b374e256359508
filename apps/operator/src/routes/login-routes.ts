import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { forOperators, requireOperator, SESSION_COOKIE, sessionOf } from '../access/access-check.js';
import { SESSION_MS } from '../access/door.js';
import type { RouteDeps } from './route-deps.js';
import { ProblemSchema, Refused } from '../http/problems.js';

/** A token has at most 512 characters. Callers without a token must not fill the memory with one. */
const BODY_LIMIT_BYTES = 4_096;

const OperatorSchema = z.object({ name: z.string(), role: z.enum(['read', 'operate', 'start']) }).meta({ id: 'Operator' });

/** Logs a browser in with a token, and sets a cookie: its `EventSource` cannot send a header. */
export function loginRoutes(scope: FastifyInstance, { door }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/login',
    {
      config: { isOpen: true },
      bodyLimit: BODY_LIMIT_BYTES,
      schema: {
        tags: ['access'],
        security: [],
        body: z.strictObject({ token: z.string().max(512) }),
        response: { 200: OperatorSchema, 401: ProblemSchema, 403: ProblemSchema, 429: ProblemSchema },
      },
    },
    async (request, reply) => {
      const { token } = request.body;
      const operator = door?.byToken(token, request.ip);
      if (door === undefined || operator === undefined) throw new Refused(401, 'UNAUTHORIZED', 'The token is not known.');
      if (operator.role === 'start') throw forOperators(operator);
      setCookie(reply, door.session(token, Date.now()), SESSION_MS / 1_000, isSecure(request));
      return operator;
    },
  );
  app.post(
    '/logout',
    { config: { isOpen: true }, bodyLimit: BODY_LIMIT_BYTES, schema: { tags: ['access'], security: [], response: { 204: z.null() } } },
    async (request, reply) => {
      const session = sessionOf(request.headers);
      if (session !== undefined) await door?.endSession(session, Date.now());
      setCookie(reply, '', 0, isSecure(request));
      return reply.code(204).send(null);
    },
  );
  app.get(
    '/api/v1/me',
    { config: { isForServices: true }, schema: { tags: ['access'], response: { 200: OperatorSchema, 401: ProblemSchema } } },
    async ({ operator }) => requireOperator(operator),
  );
}

/** A proxy with TLS sends this header. A browser that sends it without TLS gets a cookie that it will not send back. */
function isSecure({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}

function setCookie(reply: FastifyReply, value: string, maxAgeSeconds: number, onlyByTls: boolean): void {
  const secure = onlyByTls ? '; Secure' : '';
  void reply.header('set-cookie', `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`);
}
