import { Readable } from 'node:stream';
import { omitUndefined } from '@longhaul/mcp-features';
import { type EventPage, isJsonObject, MAX_IMPORT_BYTES, type OperatorService, type OperatorTask } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { ERRORS, Refused } from '../http/problems.js';
import { Reason, TaskPath, timeOf } from '../schemas/common.js';
import { depthProblem, HistoryDocument, historyOf, historyText } from '../schemas/exported-history.js';
import { detailsOf, eventOf, HistoryEvent, TaskDetails } from '../schemas/task.js';
import { timelineEndOf, TimelinePage, timelinePageOf } from '../schemas/timeline.js';
import type { RouteDeps } from './route-deps.js';

/** The size of a page of a history, bytes; one event may be larger. */
const PAGE_BYTES = 256 * 1024;
/** The limit of a body with a history: it has other members, and JSON makes it longer. */
const BODY_LIMIT_BYTES = 2 * MAX_IMPORT_BYTES;

/** Shows, exports and imports histories, and gives results. */
export function historyRoutes(scope: FastifyInstance, deps: RouteDeps): void {
  readRoutes(scope, deps);
  resultRoute(scope, deps);
  exchangeRoutes(scope, deps);
}

function readRoutes(scope: FastifyInstance, { tasks }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/:taskId/history',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Its events, in their order',
        params: TaskPath,
        querystring: z.strictObject({ after: z.coerce.number().int().min(0).default(0).describe('The version to begin after.') }),
        response: {
          200: z.object({
            events: z.array(HistoryEvent),
            next: z.int().optional().describe('The version to continue after; absent at the end.'),
          }),
          ...ERRORS,
        },
      },
    },
    async ({ params, query }) => {
      const { events, next } = await tasks.history(params.taskId, query.after, PAGE_BYTES);
      return omitUndefined({ events: events.map(eventOf), next });
    },
  );
  app.get(
    '/tasks/:taskId/timeline',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Its passes, its operations with each of their tries, and what it waited for in between',
        params: TaskPath,
        querystring: z.strictObject({
          offset: z.coerce.number().int().min(0).default(0).describe('How many of each kind to leave out.'),
          limit: z.coerce.number().int().min(1).max(2_000).default(500).describe('Of each kind.'),
          last: z.coerce.number().int().min(1).max(2_000).optional().describe('The last so many of each kind, instead of a page.'),
        }),
        response: { 200: TimelinePage, ...ERRORS },
      },
    },
    async ({ params, query: { offset, limit, last } }) => {
      const timeline = await tasks.timeline(params.taskId);
      return last === undefined ? timelinePageOf(timeline, offset, limit) : timelineEndOf(timeline, last);
    },
  );
}

function resultRoute(scope: FastifyInstance, { tasks }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/:taskId/result',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Its whole result, also if that is a large value',
        params: TaskPath,
        response: { 200: z.looseObject({}), ...ERRORS },
      },
    },
    async ({ params: { taskId } }, reply) => {
      const result = await tasks.result(taskId);
      if (result === undefined)
        throw new Refused(409, 'NO_RESULT', 'The task has no result: it has not ended, has failed or was cancelled.');
      void reply.header('content-type', 'application/json; charset=utf-8');
      void reply.header('content-length', result.bytes);
      return reply.send(Readable.from(result.texts) as never);
    },
  );
}

function exchangeRoutes(scope: FastifyInstance, { tasks, audited, linkTemplates }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/:taskId/export',
    {
      schema: {
        tags: ['tasks'],
        summary: 'All of its history as one document, an event on each line',
        params: TaskPath,
        response: { 200: HistoryDocument, ...ERRORS },
      },
    },
    async ({ params: { taskId } }, reply) => {
      const { view } = await tasks.get(taskId);
      const first = await tasks.history(taskId, 0, PAGE_BYTES);
      const { tool, owner, createdAt } = view;
      const text = historyText({ taskId: view.taskId, tool, owner, createdAt: timeOf(createdAt) }, eventsFrom(tasks, taskId, first));
      void reply.header('content-type', 'application/json; charset=utf-8');
      void reply.header('content-disposition', `attachment; filename="${view.taskId}.json"`);
      return reply.send(Readable.from(text) as never);
    },
  );
  app.post(
    '/tasks/import',
    {
      bodyLimit: BODY_LIMIT_BYTES,
      preValidation: (request, _reply, done) => done(refusalOfDepth(request.body)),
      schema: {
        tags: ['tasks'],
        summary: 'Makes a task of the exported history of one that has ended. Nothing of it runs, and its client does not see it',
        description: 'It has the id that it had, or another one when that is in use.',
        body: z.strictObject({ history: HistoryDocument, reason: Reason }),
        response: { 201: TaskDetails, ...ERRORS },
      },
    },
    async (request, reply) => {
      const { history, reason } = request.body;
      const who = requireOperator(request.operator);
      const act: Act = {
        who,
        action: 'task.import',
        target: history.taskId,
        reason,
        details: { tool: history.tool, owner: history.owner },
      };
      const terms = { by: `operator:${who.name}`, check: requireShowable };
      const view = await audited(
        act,
        () => tasks.import(historyOf(history), terms),
        ({ taskId }) => ({ importedAs: taskId }),
      );
      return reply.code(201).send(detailsOf(await tasks.get(view.taskId), linkTemplates));
    },
  );
}

/** Undefined if the document is not nested too deeply. */
function refusalOfDepth(body: unknown): Refused | undefined {
  const message = depthProblem(isJsonObject(body) ? body['history'] : undefined);
  return message === undefined ? undefined : new Refused(400, 'INVALID_REQUEST', `history: ${message}`, [{ field: 'history', message }]);
}

/** One task that cannot be shown would break every list that contains it. @throws Refused 422 that names the mistake */
function requireShowable(task: OperatorTask): void {
  const shown = TaskDetails.safeParse(detailsOf(task, {}));
  if (shown.success) return;
  const errors = shown.error.issues.map(({ path, message }) => ({ field: ['history', ...path].join('.'), message }));
  const what = errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new Refused(422, 'HISTORY_UNREADABLE', `What the history makes cannot be shown: ${what}`, errors);
}

async function* eventsFrom(tasks: OperatorService, taskId: string, first: EventPage): AsyncGenerator<ReturnType<typeof eventOf>> {
  for (let page = first; ; page = await tasks.history(taskId, page.next, PAGE_BYTES)) {
    yield* page.events.map(eventOf);
    if (page.next === undefined) return;
  }
}
