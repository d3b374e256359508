/**
 * Tells clients where to get a token (RFC 9728): the same document with the path of the endpoint and without, also for pages in browsers.
 */
import type { FastifyInstance } from 'fastify';
import { metadataPaths, type ResourceMetadata } from '../access/resource.js';
import { allowPage } from './cors.js';
import type { HostCheck } from './host-check.js';

/** How long clients may keep it, seconds. */
const MAX_AGE_S = 300;

/** @param app a separate scope: settings on it apply only to these routes */
export function registerMetadataRoutes(app: FastifyInstance, metadata: ResourceMetadata, checkHost: HostCheck): void {
  app.addHook('onRequest', (request, reply, done) => {
    checkHost(request.raw);
    if (allowPage(request, reply)) return void reply.code(204).send();
    done();
  });
  for (const url of metadataPaths(metadata.resource)) {
    app.get(url, (_request, reply) => reply.header('cache-control', `max-age=${MAX_AGE_S}`).send(metadata));
    // Preflights are answered earlier; but without a route they would not get here.
    app.options(url, (_request, reply) => reply.code(204).header('allow', 'GET').send());
  }
}
