import type { FastifyInstance } from 'fastify';

/** What every answer says: what operators see is kept by no browser and no proxy, and is what its type says. */
export const ANSWER_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Sets them last, whatever a route has said. */
export function setAnswerHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Response) for (const [name, value] of Object.entries(ANSWER_HEADERS)) payload.headers.set(name, value);
    void reply.headers(ANSWER_HEADERS);
    done(null, payload);
  });
}
