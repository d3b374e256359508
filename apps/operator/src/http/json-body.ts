import { textOfBody } from '@longhaul/runtime/byte-order-mark';
import type { FastifyInstance } from 'fastify';
import { NOT_JSON, Refused } from './problems.js';

/** Reads the bodies of requests as JSON in UTF-8. Every other type is refused. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const text = textOfBody(body as Buffer);
    if (text === undefined) done(new Refused(400, 'INVALID_REQUEST', NOT_JSON));
    else void parse(request, text, done);
  });
}
