import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ListedTask, OperatorQuery, OperatorService } from '@longhaul/tasks';
import { rowOf } from '@longhaul/tasks';
import type { RouteDeps } from './route-deps.js';
import { type SentEvent, sendEvents } from '../http/event-stream.js';
import { filterOf, FilterQuery, Limit, TaskPath } from '../schemas/common.js';
import { eventOf, summaryOf } from '../schemas/task.js';

const HISTORY_PAGE_BYTES = 256 * 1024;
/** How often a followed list is looked at. */
const LIST_LOOK_MS = 500;

/** What changes, as server-sent events. */
export function followRoutes(scope: FastifyInstance, { tasks, closing }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/:taskId/events',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Follows a task until it ends: `task` after each change, `event` for each event of its history',
        description: 'With the header Last-Event-ID it goes on where a stream broke.',
        params: TaskPath,
        headers: z.object({ 'last-event-id': z.coerce.number().int().min(0).optional() }),
      },
    },
    async ({ params: { taskId }, headers }, reply) => {
      await tasks.get(taskId);
      await sendEvents(reply, closing, (signal) => changesOf(tasks, taskId, headers['last-event-id'] ?? 0, signal));
    },
  );
  app.get(
    '/tasks/events',
    {
      schema: {
        tags: ['tasks'],
        summary:
          'Follows the newest tasks that fit a filter: `task` for each that is new or has changed, `gone` for each that no longer fits',
        description: 'A new stream begins with all of them, after an event `begin`.',
        querystring: FilterQuery.extend({ limit: Limit }),
      },
    },
    async ({ query: { limit, ...filter } }, reply) => {
      await sendEvents(reply, closing, (signal) => changesOfList(tasks, { filter: filterOf(filter), limit }, signal));
    },
  );
}

async function* changesOf(tasks: OperatorService, taskId: string, after: number, signal: AbortSignal): AsyncGenerator<SentEvent> {
  let version = after;
  for await (const { view } of tasks.follow(taskId, signal)) {
    for (let isMore = view.version > version; isMore;) {
      const { events, next } = await tasks.history(taskId, version, HISTORY_PAGE_BYTES);
      for (const event of events) {
        yield { event: 'event', data: eventOf(event), id: String(event.version) };
        version = event.version;
      }
      isMore = next !== undefined;
    }
    yield { event: 'task', data: summaryOf({ row: rowOf(view), view }) };
  }
}

async function* changesOfList(tasks: OperatorService, query: OperatorQuery, signal: AbortSignal): AsyncGenerator<SentEvent> {
  let known = new Map<string, string>();
  yield { event: 'begin', data: {} };
  while (!signal.aborted) {
    const found = await listed(tasks, query);
    const now = new Map(found.map((task) => [task.row.taskId as string, JSON.stringify(summaryOf(task))]));
    // Oldest first, so that who puts each new one on top has them in their order.
    for (const [taskId, text] of [...now].toReversed())
      if (known.get(taskId) !== text) yield { event: 'task', data: JSON.parse(text) as unknown };
    for (const taskId of known.keys()) if (!now.has(taskId)) yield { event: 'gone', data: { taskId } };
    known = now;
    await delay(LIST_LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** A full page, though the index may find one in parts. */
async function listed(tasks: OperatorService, query: OperatorQuery): Promise<readonly ListedTask[]> {
  const found: ListedTask[] = [];
  for (let { after } = query; ;) {
    const page = await tasks.list({ ...query, limit: query.limit - found.length, after });
    found.push(...page.tasks);
    after = page.next;
    if (after === undefined || found.length >= query.limit) return found;
  }
}
