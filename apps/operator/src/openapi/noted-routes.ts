import type { FastifyInstance, RouteOptions } from 'fastify';

/**
 * Notes all routes that are registered after it. Whoever asks first for their OpenAPI document waits for it to be made: what makes it is a
 * hundred modules, which no process should load to start.
 *
 * @returns gives the document
 */
export function noteRoutes(app: FastifyInstance, version: string): () => Promise<object> {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  let document: Promise<object> | undefined;
  return () => (document ??= import('./describe-routes.js').then(({ describeRoutes }) => describeRoutes(routes, version)));
}
