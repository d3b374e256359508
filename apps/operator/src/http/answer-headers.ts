import type { FastifyInstance } from 'fastify';

/** The headers of every answer: browsers and proxies must not store what operators see, and must trust its type. */
export const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Sets them last, so that no route can replace them. */
export function setAnswerHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Response) for (const [name, value] of Object.entries(ANSWER_HEADERS)) payload.headers.set(name, value);
    void reply.headers(ANSWER_HEADERS);
    done(null, payload);
  });
}
