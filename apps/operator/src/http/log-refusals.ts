/** Logs whose requests are not allowed: once a minute for each name, with the route and nothing else of the path, which may have arguments. */
import { networkOf } from '@longhaul/runtime/network-of';
import { rareWarnings } from '@longhaul/runtime/rare-warnings';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Refused } from './problems.js';

/** Statuses of requests whose sender may not make them. */
const DENIED: ReadonlySet<number> = new Set([401, 403, 429]);

export function logRefusals(app: FastifyInstance, logger: Logger): void {
  const warn = rareWarnings(logger);
  app.addHook('onError', (request, _reply, error: unknown, done) => {
    const { method, routeOptions, operator, headers, ip } = request;
    // A browser begins without a token.
    const hasShown = operator !== undefined || headers.authorization !== undefined || method === 'POST';
    if (error instanceof Refused && DENIED.has(error.status) && hasShown) {
      const fields = { code: error.code, method, route: routeOptions.url, network: networkOf(ip) };
      warn(`Requests of ${operator?.name ?? 'an unknown sender'} are refused.`, fields);
    }
    done();
  });
}
