import swagger from '@fastify/swagger';
import { fastify, type RouteOptions } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

/** The OpenAPI document of these routes. They are registered once more, in a server that never listens. */
export async function describeRoutes(routes: readonly RouteOptions[], version: string): Promise<object> {
  const app = fastify({ exposeHeadRoutes: false });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Longhaul operator API', version: version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      components: {
        securitySchemes: {
          token: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: 'longhaul_operator' },
        },
      },
      security: [{ token: [] }, { session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  // Those that Fastify has added by itself have no schema of their own.
  for (const { method, url, schema } of routes.filter((route) => route.method !== 'HEAD'))
    app.route({ method, url, ...(schema !== undefined && { schema }), handler: () => undefined });
  await app.ready();
  return app.swagger();
}
