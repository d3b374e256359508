import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { BULK_ACTIONS, type BulkRecord } from '../bulk/bulk-record.js';
import { ERRORS } from '../http/problems.js';
import type { RouteDeps } from './route-deps.js';
import { type SentEvent, sendEvents } from '../http/event-stream.js';
import { Filter, filterOf, Force, IdempotencyKey, Reason, Said, Time, timeOf } from '../schemas/common.js';

/** How often a followed operation is checked for progress. */
const LOOK_MS = 300;

const Bulk = z
  .object({
    id: z.string(),
    action: z.enum(BULK_ACTIONS),
    state: z.enum(['running', 'done', 'aborted']),
    who: z.string(),
    reason: z.string(),
    createdAt: Time,
    endedAt: Time.optional(),
    matched: z.int().describe('Tasks that there were when it began.'),
    done: z.int(),
    skipped: z.int().describe('Tasks that had changed or were retried meanwhile.'),
    failed: z.int(),
    failures: z.array(z.object({ taskId: z.string(), code: z.string() })).describe('The first of those that failed.'),
  })
  .meta({ id: 'BulkOperation' });

/** An operation on many tasks. */
export type BulkOperation = z.infer<typeof Bulk>;

const BulkPath = z.object({ id: z.string().max(64) });
const BulkStart = z
  .strictObject({
    action: z.enum(BULK_ACTIONS),
    filter: Filter,
    all: z.literal(true).optional().describe('An empty filter is meant: all tasks, of everybody.'),
    matched: z
      .int()
      .min(0)
      .optional()
      .describe('How many tasks /bulk/count has shown. The operation is refused when more fit by now. An empty filter needs it.'),
    force: Force.describe('Also retries tasks that were retried before; with the action `retry`, and no other.'),
    idempotencyKey: IdempotencyKey.describe('The same request with the same key begins no second operation; the latest 100 are known.'),
    answer: Said.optional().describe('What is said to each question that operators may answer; with the action `answer`, and no other.'),
    reason: Reason,
  })
  .refine(({ action, answer }) => (action === 'answer') === (answer !== undefined), {
    path: ['answer'],
    message: 'must be given with the action "answer", and with no other one',
  })
  .refine(({ action, force }) => action === 'retry' || force === undefined, {
    path: ['force'],
    message: 'must be given with the action "retry" only',
  })
  .refine(({ filter, all }) => isEmpty(filter) === (all === true), {
    path: ['all'],
    message: 'must be true with an empty filter, which all tasks fit, and must not be given with another one',
  })
  .refine(({ filter, matched }) => !isEmpty(filter) || matched !== undefined, {
    path: ['matched'],
    message: 'must be given with an empty filter: how many tasks /bulk/count has shown',
  });

function isEmpty(filter: z.output<typeof Filter>): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

const WithReason = z.strictObject({ reason: Reason });

function bulkOf(record: BulkRecord): BulkOperation {
  const { id, action, state, who, reason, createdAt, endedAt, matched, done, skipped, failed, failures } = record;
  const times = omitUndefined({ createdAt: timeOf(createdAt), endedAt: endedAt === undefined ? undefined : timeOf(endedAt) });
  return { id, action, state, who, reason, ...times, matched, done, skipped, failed, failures: [...failures] };
}

/** Operations on all tasks that fit a filter. */
export function bulkRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  writeRoutes(scope, deps);
  readRoutes(scope, deps);
}

function writeRoutes(scope: FastifyInstance, { bulk, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/bulk/count',
    {
      schema: {
        tags: ['bulk'],
        summary: 'How many tasks an operation would be done to; nothing is changed',
        body: z.strictObject({ action: z.enum(BULK_ACTIONS), filter: Filter, force: Force }),
        response: { 200: z.object({ matched: z.int(), sample: z.array(z.string()) }), ...ERRORS },
      },
    },
    async ({ body: { action, filter, force } }) => {
      const { matched, sample } = await bulk.count({ action, filter: filterOf(filter), force });
      return { matched, sample: [...sample] };
    },
  );
  app.post(
    '/bulk',
    {
      schema: {
        tags: ['bulk'],
        summary: 'Begins an operation on all tasks that fit the filter and exist now',
        body: BulkStart,
        response: { 202: Bulk, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { action, filter, answer, matched, force, idempotencyKey, reason } = request.body;
      const who = requireOperator(request.operator);
      const act: Act = {
        who,
        action: `bulk.${action}`,
        target: 'tasks',
        reason,
        details: { filter: { ...filter }, ...(answer !== undefined && { said: answer.action }), ...(force === true && { force }) },
      };
      const wanted = { action, filter: filterOf(filter), answer, shown: matched, force, idempotencyKey };
      const begin = () => bulk.start(wanted, who, reason);
      const record = await audited(act, begin, ({ id }) => ({ operation: id }));
      return reply.code(202).send(bulkOf(record));
    },
  );
  for (const verb of ['abort', 'resume'] as const)
    app.post(
      `/bulk/:id/${verb}`,
      { schema: { tags: ['bulk'], params: BulkPath, body: WithReason, response: { 200: Bulk, ...ERRORS } } },
      async (request) => {
        const { id } = request.params;
        const act: Act = { who: requireOperator(request.operator), action: `bulk.${verb}`, target: id, reason: request.body.reason };
        return bulkOf(await audited(act, () => bulk[verb](id)));
      },
    );
}

function readRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const { bulk, closing } = deps;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/bulk',
    {
      schema: {
        tags: ['bulk'],
        summary: 'Bulk operations, newest first',
        response: { 200: z.object({ operations: z.array(Bulk) }), ...ERRORS },
      },
    },
    async () => ({ operations: (await bulk.list()).map(bulkOf) }),
  );
  app.get('/bulk/:id', { schema: { tags: ['bulk'], params: BulkPath, response: { 200: Bulk, ...ERRORS } } }, async ({ params: { id } }) =>
    bulkOf(await bulk.get(id)),
  );
  app.get(
    '/bulk/:id/events',
    { schema: { tags: ['bulk'], summary: 'Its progress as server-sent events `progress`, until it has ended', params: BulkPath } },
    async ({ params: { id } }, reply) => {
      const first = await bulk.get(id);
      await sendEvents(reply, closing, (signal) => progressOf(deps, first, signal));
    },
  );
}

async function* progressOf({ bulk }: RouteDeps, first: BulkRecord, signal: AbortSignal): AsyncGenerator<SentEvent> {
  let shown = '';
  for (let record = first; ; record = await bulk.get(first.id)) {
    const data = bulkOf(record);
    const text = JSON.stringify(data);
    if (text !== shown) yield { event: 'progress', data };
    shown = text;
    if (record.state !== 'running' || signal.aborted) return;
    await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
