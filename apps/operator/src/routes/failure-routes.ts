import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { FAILURE_STATES } from '../failures/failures.js';
import { ERRORS } from '../http/problems.js';
import { Limit, Reason, Time } from '../schemas/common.js';
import { Failure, FailureDetails, failureDetailsOf, FailureList, failureOf } from '../schemas/failure.js';
import { Bulk, bulkOf, type BulkWanted, RetryOfMany, retryWanted, startBulk } from './bulk-routes.js';
import type { RouteDeps } from './route-deps.js';

/** Groups of this state are listed; `all` for each state. */
const FailureStateQuery = z.enum([...FAILURE_STATES, 'all']).default('open');

/** The path of a route for one group. */
const FailurePath = z.object({ id: z.string().max(64) });

/** How a group is retried. */
export const RetryFailure = RetryOfMany.extend({ reason: Reason });

/** For how long a group is snoozed. */
export const Snooze = z
  .strictObject({
    reason: Reason,
    until: Time.optional().describe('It is open again then.'),
    more: z.int().min(1).max(1_000).optional().describe('It is open again when so many more of its tasks have failed.'),
  })
  .refine(({ until, more }) => (until === undefined) !== (more === undefined), {
    path: ['until'],
    message: 'must be given, or "more", and not both',
  })
  .refine(({ until }) => until === undefined || Date.parse(until) > Date.now(), { path: ['until'], message: 'must be later than now' });

/** Which groups are listed. */
export const ListedFailures = z.strictObject({
  state: FailureStateQuery,
  tool: z.string().min(1).max(256).optional().describe('All tools when it is absent.'),
  limit: Limit,
});

/** Groups of failed tasks by what happened. */
export function failureRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const { failures, linkTemplates } = deps;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/failures',
    {
      schema: {
        tags: ['failures'],
        summary: 'Groups of failed tasks by what happened, the largest first',
        querystring: ListedFailures,
        response: { 200: FailureList, ...ERRORS },
      },
    },
    async ({ query: { state, ...query } }) => {
      const { groups, ...counts } = await failures.list({ states: state === 'all' ? FAILURE_STATES : [state], ...query });
      return { groups: groups.map(failureOf), ...counts };
    },
  );
  app.get(
    '/failures/:id',
    { schema: { tags: ['failures'], params: FailurePath, response: { 200: FailureDetails, ...ERRORS } } },
    async ({ params: { id } }) => failureDetailsOf(await failures.get(id), linkTemplates),
  );
  app.post(
    '/failures/:id/retry',
    {
      schema: {
        tags: ['failures'],
        summary: 'Begins an operation that retries all tasks of the group that exist now',
        params: FailurePath,
        body: RetryFailure,
        response: { 202: Bulk, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { reason, ...retry } = request.body;
      const { id } = request.params;
      const filter = { group: id };
      const wanted: BulkWanted = { action: 'retry', filter: { cause: id }, ...retryWanted(retry) };
      const bulk = await startBulk(deps, { who: requireOperator(request.operator), reason, filter, wanted });
      return reply.code(202).send(bulkOf(bulk));
    },
  );
  markRoutes(scope, deps);
}

function markRoutes(scope: FastifyInstance, { failures, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const body = z.strictObject({ reason: Reason });
  const schema = { tags: ['failures'], params: FailurePath, response: { 200: Failure, ...ERRORS } };
  for (const verb of ['dismiss', 'reopen'] as const)
    app.post(`/failures/:id/${verb}`, { schema: { ...schema, body } }, async (request) => {
      const { id } = request.params;
      const { reason } = request.body;
      const who = requireOperator(request.operator);
      const act: Act = { who, action: `failure.${verb}`, target: id, reason };
      const mark = verb === 'dismiss' ? ({ state: 'dismissed', who: who.name, reason } as const) : undefined;
      return failureOf(await audited(act, () => failures.mark(id, mark)));
    });
  app.post('/failures/:id/snooze', { schema: { ...schema, body: Snooze } }, async ({ params: { id }, body: snooze, operator }) => {
    const { reason, until, more } = snooze;
    const who = requireOperator(operator);
    const act: Act = { who, action: 'failure.snooze', target: id, reason, details: omitUndefined({ until, more }) };
    const times = omitUndefined({ until: until === undefined ? undefined : Date.parse(until), more });
    return failureOf(await audited(act, () => failures.mark(id, { state: 'snoozed', who: who.name, reason, ...times })));
  });
}
