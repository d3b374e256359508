import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { omitUndefined } from '@longhaul/mcp-features';
import { rowOf } from '@longhaul/tasks';
import type { RouteDeps } from './route-deps.js';
import { type SentEvent, sendEvents } from '../http/event-stream.js';
import { filterOf, FilterQuery, Limit, TaskPath } from '../schemas/common.js';
import { eventOf, summaryOf } from '../schemas/task.js';

const HISTORY_PAGE_BYTES = 256 * 1024;

const Version = z.coerce.number().int().min(0);

/** Sends changes as server-sent events. */
export function followRoutes(scope: FastifyInstance, { tasks, feed, lists, linkTemplates, closing }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/:taskId/events',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Follows a task until it ends: `task` after each change, `event` for each event of its history',
        description: 'With the header Last-Event-ID, or `after`, it continues after that version of its history.',
        params: TaskPath,
        querystring: z.strictObject({ after: Version.default(0) }),
        headers: z.object({ 'last-event-id': Version.optional() }),
      },
    },
    async ({ params: { taskId }, query: { after }, headers }, reply) => {
      await tasks.get(taskId);
      await sendEvents(reply, closing, (signal) => changesOf({ tasks, linkTemplates }, taskId, headers['last-event-id'] ?? after, signal));
    },
  );
  app.get(
    '/tasks/events',
    {
      schema: {
        tags: ['tasks'],
        summary:
          'Follows the newest tasks that fit a filter: `task` for each that is new or has changed, `gone` for each that no longer fits',
        description: 'A new stream begins with all of them, between the events `begin` and `ready`.',
        querystring: FilterQuery.extend({ limit: Limit }),
      },
    },
    async ({ query: { limit, ...filter } }, reply) => {
      await sendEvents(reply, closing, (signal) => lists.follow({ filter: filterOf(filter), limit }, signal));
    },
  );
  app.get(
    '/overview/events',
    {
      schema: {
        tags: ['overview'],
        summary: 'Says that something has changed: `changed` within about 100 ms of it, and every 5 seconds',
        description: 'With how many tasks were created and have ended in the last minute, or since somebody looks on.',
      },
    },
    async (_request, reply) => {
      await sendEvents(reply, closing, async function* (signal): AsyncGenerator<SentEvent> {
        for await (const _ of feed.ticks(signal)) yield { event: 'changed', data: feed.rates };
      });
    },
  );
}

async function* changesOf(
  { tasks, linkTemplates }: Pick<RouteDeps, 'tasks' | 'linkTemplates'>,
  taskId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<SentEvent> {
  let version = after;
  for await (const { view, waitsForTrialSince } of tasks.follow(taskId, signal)) {
    for (let isMore = view.version > version; isMore;) {
      const { events, next } = await tasks.history(taskId, version, HISTORY_PAGE_BYTES);
      for (const event of events) {
        yield { event: 'event', data: eventOf(event), id: String(event.version) };
        version = event.version;
      }
      isMore = next !== undefined;
    }
    yield { event: 'task', data: summaryOf(omitUndefined({ row: rowOf(view), view, waitsForTrialSince }), linkTemplates) };
  }
}
