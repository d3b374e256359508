import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '@longhaul/mcp-features';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { decodeCursor, encodeCursor, type JsonObject, ROW_STATUSES } from '@longhaul/tasks';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { BULK_ACTIONS, type BulkRecord } from '../bulk/bulk-record.js';
import { ERRORS } from '../http/problems.js';
import type { Operator } from '../access/door.js';
import type { RouteDeps } from './route-deps.js';
import { type SentEvent, sendEvents } from '../http/event-stream.js';
import { Cursor, Filter, filterOf, Force, From, IdempotencyKey, Limit, Patch, Reason, Said, Time, timeOf } from '../schemas/common.js';
import { namesIn } from '../schemas/where.js';

/** How often a followed operation is checked for progress. */
const LOOK_MS = 300;

const Made = z.object({ taskId: z.string(), retriedAs: z.string().describe('The new task.') });

/** An operation in answers. */
export const Bulk = z
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
    skipped: z.int().describe('Tasks that had changed or were retried in the meantime.'),
    failed: z.int(),
    failures: z.array(z.object({ taskId: z.string(), code: z.string() })).describe('The first of those that failed.'),
    made: z.array(Made).describe('The first of the new tasks, of a retry. /bulk/{id}/made has all of them.'),
  })
  .meta({ id: 'BulkOperation' });

/** An operation on many tasks. */
export type BulkOperation = z.infer<typeof Bulk>;

/** How many tasks are retried. */
export const RetryOfMany = z.strictObject({
  from: From,
  patch: Patch,
  force: Force.describe('Also retries tasks that were retried before.'),
  matched: z.int().min(0).optional().describe('How many tasks were shown. The operation is refused when more fit by now.'),
  idempotencyKey: IdempotencyKey.describe('The same request with the same key begins no second operation; the latest 100 are known.'),
});

/** The operation that a request wants. */
export type BulkWanted = Parameters<RouteDeps['bulk']['start']>[0];

/** The part of the operation that says how tasks are retried. */
export function retryWanted({ matched, ...retry }: z.output<typeof RetryOfMany>): Omit<BulkWanted, 'action' | 'filter'> {
  return { ...retry, shown: matched };
}

interface BulkAsked {
  readonly who: Operator;
  readonly reason: string;
  /** In the words of the API, for the audit log. */
  readonly filter: JsonObject;
  readonly wanted: BulkWanted;
}

/** Begins an operation, and records that. */
export function startBulk({ bulk, audited }: RouteDeps, { who, reason, filter, wanted }: BulkAsked): Promise<BulkRecord> {
  const { action, answer, force, from, patch } = wanted;
  const said = omitUndefined({ said: answer?.action, force: force === true ? force : undefined, from, changesArguments: patch && true });
  const act: Act = { who, action: `bulk.${action}`, target: 'tasks', reason, details: { filter, ...said } };
  return audited(
    act,
    () => bulk.start(wanted, who, reason),
    ({ id }) => ({ operation: id }),
  );
}

const BulkPath = z.object({ id: z.string().max(64) });
/** An operation to begin. */
export const BulkStart = z
  .strictObject({
    action: z.enum(BULK_ACTIONS),
    filter: Filter,
    all: z.literal(true).optional().describe('An empty filter is meant: all tasks, of everybody.'),
    ...RetryOfMany.shape,
    answer: Said.optional().describe('What is said to each question that operators may answer; with the action `answer`, and no other.'),
    reason: Reason,
  })
  .refine(({ action, answer }) => (action === 'answer') === (answer !== undefined), {
    path: ['answer'],
    message: 'must be given with the action "answer", and with no other one',
  })
  .superRefine(({ action, ...given }, context) => {
    for (const name of ['force', 'from', 'patch'] as const)
      if (action !== 'retry' && given[name] !== undefined)
        context.addIssue({ code: 'custom', path: [name], message: 'must be given with the action "retry" only' });
  })
  .refine(({ filter, all }) => isEmpty(filter) === (all === true), {
    path: ['all'],
    message: 'must be true with an empty filter, which all tasks fit, and must not be given with another one',
  })
  .refine(({ filter, matched }) => !isEmpty(filter) || matched !== undefined, {
    path: ['matched'],
    message: 'must be given with an empty filter: how many tasks /bulk/count has shown',
  });

/** The filter as it is written to the audit log. */
function auditedFilter({ where, ...filter }: z.output<typeof Filter>): JsonObject {
  return { ...filter, ...(where !== undefined && { where: namesIn(where) }) };
}

function isEmpty(filter: z.output<typeof Filter>): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

/** What is counted. */
export const BulkCount = z.strictObject({ action: z.enum(BULK_ACTIONS), filter: Filter, force: Force });
export const BulkCounted = z.object({ matched: z.int(), sample: z.array(z.string()) });
export const BulkList = z.object({ operations: z.array(Bulk) });
export const MadeOfBulk = z.object({
  made: z.array(Made.extend({ status: z.enum(ROW_STATUSES).describe('The status of the new task now.') })),
  cursor: Cursor.optional(),
});

/** A page of the tasks that a retry has made. */
export type MadePage = z.infer<typeof MadeOfBulk>;

const WithReason = z.strictObject({ reason: Reason });

/** An operation as it is answered. */
export function bulkOf(record: BulkRecord): BulkOperation {
  const { id, action, state, who, reason, createdAt, endedAt, matched, done, skipped, failed, failures, made } = record;
  const times = omitUndefined({ createdAt: timeOf(createdAt), endedAt: endedAt === undefined ? undefined : timeOf(endedAt) });
  return { id, action, state, who, reason, ...times, matched, done, skipped, failed, failures: [...failures], made: [...made] };
}

/** Operations on all tasks that fit a filter. */
export function bulkRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  writeRoutes(scope, deps);
  readRoutes(scope, deps);
}

function writeRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  const { bulk, audited } = deps;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/bulk/count',
    {
      config: { isForReaders: true },
      schema: {
        tags: ['bulk'],
        summary: 'How many tasks an operation would be done to; nothing is changed',
        body: BulkCount,
        response: { 200: BulkCounted, ...ERRORS },
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
      const { action, filter, answer, reason, all: _all, ...retry } = request.body;
      const wanted: BulkWanted = { action, filter: filterOf(filter), answer, ...retryWanted(retry) };
      const record = await startBulk(deps, { who: requireOperator(request.operator), reason, filter: auditedFilter(filter), wanted });
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
        response: { 200: BulkList, ...ERRORS },
      },
    },
    async () => ({ operations: (await bulk.list()).map(bulkOf) }),
  );
  app.get('/bulk/:id', { schema: { tags: ['bulk'], params: BulkPath, response: { 200: Bulk, ...ERRORS } } }, async ({ params: { id } }) =>
    bulkOf(await bulk.get(id)),
  );
  app.get(
    '/bulk/:id/made',
    {
      schema: {
        tags: ['bulk'],
        summary: 'The tasks that a retry has made: the task that each does again, and its status now',
        description: 'A page may hold fewer than asked for though there are more: then it has a cursor.',
        params: BulkPath,
        querystring: z.strictObject({ limit: Limit, cursor: Cursor.optional() }),
        response: { 200: MadeOfBulk, ...ERRORS },
      },
    },
    async ({ params: { id }, query: { limit, cursor } }) => {
      const { made, next } = await bulk.made(id, limit, cursor === undefined ? undefined : decodeCursor(cursor));
      return omitUndefined({ made: [...made], cursor: next && encodeCursor(next) });
    },
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
