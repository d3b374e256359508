import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@longhaul/mcp-features';
import { decodeCursor, encodeCursor, type JsonObject, taskIdFrom } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { ERRORS } from '../http/problems.js';
import type { RouteDeps } from './route-deps.js';
import { Cursor, filterOf, FilterQuery, Force, From, IdempotencyKey, Limit, Patch, Reason, TaskPath } from '../schemas/common.js';
import { detailsOf, summaryOf, TaskDetails, TaskSummary } from '../schemas/task.js';

/** A text that is looked for. */
export const Text = z.string().min(1).max(200).describe('Part of the arguments, or of how it ended.');

/** Parameters of a list of tasks, in addition to a filter. */
export const TextAndCursor = z.strictObject({ text: Text.optional(), cursor: Cursor.optional() });

const Searched = z
  .object({ looked: z.int(), unreadable: z.int() })
  .describe('With a text: how many tasks were read for it, and how many of them could not be read.');

/** A page of a list of tasks. */
export const TaskPage = z.object({ tasks: z.array(TaskSummary), searched: Searched.optional(), cursor: Cursor.optional() });

/** How a task is retried. */
export const Retry = z.strictObject({
  reason: Reason,
  from: From,
  arguments: z.record(z.string(), z.unknown()).optional(),
  patch: Patch,
  force: Force.describe('Retries a task that was retried before.'),
  idempotencyKey: IdempotencyKey.describe('A repeated request with the same key gives the task that it made the first time.'),
});

/** Lists, shows, cancels and retries tasks. */
export function taskRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  readRoutes(scope, deps);
  writeRoutes(scope, deps);
}

function readRoutes(scope: FastifyInstance, { tasks, linkTemplates }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Tasks of all owners, newest first',
        description: 'A page may hold fewer tasks than asked for though there are more: then it has a cursor.',
        querystring: FilterQuery.extend({ ...TextAndCursor.shape, limit: Limit }),
        response: { 200: TaskPage, ...ERRORS },
      },
    },
    async ({ query: { text, limit, cursor, ...filter } }) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      const { tasks: found, searched, next } = await tasks.list({ filter: filterOf(filter), text, limit, after });
      return omitUndefined({
        tasks: found.map((task) => summaryOf(task, linkTemplates)),
        searched: searched && { ...searched },
        cursor: next && encodeCursor(next),
      });
    },
  );
  app.get(
    '/tasks/:taskId',
    { schema: { tags: ['tasks'], params: TaskPath, response: { 200: TaskDetails, ...ERRORS } } },
    async ({ params }) => detailsOf(await tasks.get(params.taskId), linkTemplates),
  );
}

function writeRoutes(scope: FastifyInstance, { tasks, audited, linkTemplates }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/tasks/:taskId/cancel',
    { schema: { tags: ['tasks'], params: TaskPath, body: z.strictObject({ reason: Reason }), response: { 200: TaskDetails, ...ERRORS } } },
    async ({ params: { taskId }, body: { reason }, operator }) => {
      const who = requireOperator(operator);
      await audited({ who, action: 'task.cancel', target: taskId, reason }, () =>
        tasks.cancel(taskId, { by: `operator:${who.name}`, reason }),
      );
      return detailsOf(await tasks.get(taskId), linkTemplates);
    },
  );
  app.post(
    '/tasks/:taskId/retry',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Makes a new task of it: from the start, from a step, or with other arguments. The task itself stays as it is',
        params: TaskPath,
        body: Retry,
        response: { 201: TaskDetails, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { taskId } = request.params;
      const { reason, from, arguments: args, patch, force, idempotencyKey = randomUUID() } = request.body;
      const who = requireOperator(request.operator);
      const details = omitUndefined({ from, changesArguments: (args ?? patch) !== undefined, force });
      const by = `operator:${who.name}/retry:${idempotencyKey}`;
      const forced = force === true ? { force, forcedId: taskIdFrom(`longhaul retry ${taskId} ${by}`) } : {};
      const retry = () => tasks.retry(taskId, omitUndefined({ from, arguments: args as JsonObject | undefined, patch, by, ...forced }));
      const act: Act = { who, action: 'task.retry', target: taskId, reason, details };
      const view = await audited(act, retry, ({ taskId: retriedAs }) => ({ retriedAs }));
      return reply.code(201).send(detailsOf(await tasks.get(view.taskId), linkTemplates));
    },
  );
}
