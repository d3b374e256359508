import type { MergedServer, Said } from '@longhaul/proxy/operating';
import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Operator } from '../access/door.js';
import { ERRORS } from '../http/problems.js';
import { Reason } from '../schemas/common.js';
import { ServerDetails, serverDetails, ServerSummary, serverSummary } from '../schemas/server.js';
import type { ServerTarget } from '../servers/proxied-servers.js';
import type { RouteDeps } from './route-deps.js';

const MAX_NAME_LENGTH = 256;
const MAX_TOOL_LENGTH = 1_024;

export const ServerPath = z.strictObject({ name: z.string().min(1).max(MAX_NAME_LENGTH) });
export const ServerList = z.object({ servers: z.array(ServerSummary) });

/** The bodies of requests. */
export const RestartServer = z.strictObject({ reason: Reason });
export const SwitchServer = z.strictObject({
  tool: z
    .string()
    .min(1)
    .max(MAX_TOOL_LENGTH)
    .optional()
    .describe('Only this tool, by the name that the server gives it; without it, the whole server.'),
  reason: Reason,
});

/** Lists proxied servers, and shows one. */
export function serverRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const { servers } = deps;
  app.get(
    '/servers',
    {
      schema: {
        tags: ['servers'],
        summary: 'The servers behind the proxies of the deployment, in the order of their names',
        response: { 200: ServerList, ...ERRORS },
      },
    },
    async () => ({ servers: (await servers.list()).map(serverSummary) }),
  );
  app.get(
    '/servers/:name',
    {
      schema: {
        tags: ['servers'],
        summary: 'A proxied server with its tools, and how long their calls take',
        params: ServerPath,
        response: { 200: ServerDetails, ...ERRORS },
      },
    },
    async ({ params: { name } }) => serverDetails(await servers.get(name)),
  );
  steeringRoutes(scope, deps);
}

const OFF_AND_ON = {
  off: 'Turns a server or one of its tools off in all processes, until it is turned on. Calls that run lose a server that is turned off',
  on: 'Turns a server or one of its tools on again. Tools that are off by themselves stay off when their server is turned on',
} as const;

/** Restarts servers, and turns them and their tools off and on. */
function steeringRoutes(scope: FastifyInstance, { servers, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const steer = async (
    verb: 'restart' | 'off' | 'on',
    { who, reason, server, tool }: ServerTarget & { readonly who: Operator; readonly reason: string },
    work: (said: Said) => Promise<MergedServer>,
  ) => {
    const said = { by: `operator:${who.name}`, reason, at: Date.now() };
    const act = { who, action: `server.${verb}`, target: server, reason, details: omitUndefined({ tool }) } as const;
    return serverDetails(await audited(act, () => work(said)));
  };
  app.post(
    '/servers/:name/restart',
    {
      schema: {
        tags: ['servers'],
        summary: 'Has all processes end their connections to a server and open new ones. Calls that run lose it',
        params: ServerPath,
        body: RestartServer,
        response: { 200: ServerDetails, ...ERRORS },
      },
    },
    ({ params: { name }, body: { reason }, operator }) =>
      steer('restart', { who: requireOperator(operator), reason, server: name }, (said) => servers.restart(name, said)),
  );
  for (const verb of ['off', 'on'] as const)
    app.post(
      `/servers/:name/${verb}`,
      {
        schema: {
          tags: ['servers'],
          summary: OFF_AND_ON[verb],
          params: ServerPath,
          body: SwitchServer,
          response: { 200: ServerDetails, ...ERRORS },
        },
      },
      ({ params: { name }, body: { tool, reason }, operator }) => {
        const target = { server: name, tool };
        return steer(verb, { who: requireOperator(operator), reason, ...target }, (said) =>
          verb === 'off' ? servers.turnOff(target, said) : servers.turnOn(target),
        );
      },
    );
}
