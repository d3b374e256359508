import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeCursor, encodeCursor, type SearchStep } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type SentEvent, sendEvents } from '../http/event-stream.js';
import { Cursor, filterOf, FilterQuery, timeOf } from '../schemas/common.js';
import { summaryOf } from '../schemas/task.js';
import type { RouteDeps } from './route-deps.js';
import { Text } from './task-routes.js';

/** How often a search that finds nothing says how far it is. */
const PROGRESS_MS = 250;

/** Searches tasks for a text, and sends what it finds as server-sent events. */
export function searchRoutes(scope: FastifyInstance, { tasks, linkTemplates, closing }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/tasks/search',
    {
      schema: {
        tags: ['tasks'],
        summary: 'Reads all tasks that fit a filter for a text, newest first: `task` for each that has it, `progress` in between, `end`',
        description:
          '`progress` has how many tasks were `looked` at since the one before, how many of them were `unreadable`, when the last of them was created (`reached`), and the `cursor` with which another request continues there.',
        querystring: FilterQuery.extend({ text: Text, cursor: Cursor.optional() }),
      },
    },
    async ({ query: { text, cursor, ...filter } }, reply) => {
      const after = cursor === undefined ? undefined : decodeCursor(cursor);
      await sendEvents(reply, closing, () => foundIn(tasks.search({ filter: filterOf(filter), text, after }), linkTemplates));
    },
  );
}

/** What a search finds, at once, and how far it is. */
async function* foundIn(steps: AsyncIterable<SearchStep>, templates: RouteDeps['linkTemplates']): AsyncGenerator<SentEvent> {
  let [looked, unreadable, saidAt] = [0, 0, performance.now()];
  for await (const { tasks, searched, next } of steps) {
    for (const task of tasks) yield { event: 'task', data: summaryOf(task, templates) };
    looked += searched.looked;
    unreadable += searched.unreadable;
    if (tasks.length > 0 || next === undefined || performance.now() - saidAt >= PROGRESS_MS) {
      const reached = next && { reached: timeOf(next.createdAt), cursor: encodeCursor(next) };
      yield { event: 'progress', data: { looked, unreadable, ...reached } };
      [looked, unreadable, saidAt] = [0, 0, performance.now()];
    }
    // A data file answers within the same turn of the event loop: without this pause, no request would be answered during a search.
    await nextTurn();
  }
  yield { event: 'end', data: {} };
}
