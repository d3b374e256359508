import { STATS_SPANS, type StatsSpan, type TaskStats } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import { Spent, Time, timeOf } from '../schemas/common.js';
import type { RouteDeps } from './route-deps.js';

const counts = {
  created: z.int(),
  completed: z.int(),
  failed: z.int(),
  cancelled: z.int(),
  p50Ms: z.number().optional().describe('Half of those that completed or failed took no longer, to about a fifth.'),
  p95Ms: z.number().optional().describe('95 of 100 of them took no longer.'),
  spent: Spent.optional().describe('What tasks have spent in it, as their tools say by `context.spend`.'),
};

/** What happened to tasks in the latest hour, day or week. */
export const Stats = z
  .object({
    over: z.enum(Object.keys(STATS_SPANS) as [StatsSpan, ...StatsSpan[]]),
    stepMs: z.int().describe('How long a period is.'),
    periods: z
      .array(
        z.object({
          at: Time.describe('When it began.'),
          ...counts,
          queueAgeMs: z.number().optional().describe('The longest time that a job waited for a worker.'),
          questionAgeMs: z.number().optional().describe('The longest time that a question was open.'),
        }),
      )
      .describe('Oldest first; the last one has not ended.'),
    total: z.object(counts).describe('All periods together.'),
    tools: z.array(z.object({ tool: z.string(), ...counts })).describe('Tools with tasks in the span, those with the most first.'),
  })
  .meta({ id: 'Stats' });

/** What happened to tasks in the latest hour, day or week. */
export type Stats = z.infer<typeof Stats>;

/** The span and the tool. */
export const StatsQuery = z.strictObject({
  over: z
    .enum(Object.keys(STATS_SPANS) as [StatsSpan, ...StatsSpan[]])
    .default('hour')
    .describe('hour: 60 periods of a minute; day: 144 of 10 minutes; week: 168 of an hour.'),
  tool: z.string().min(1).max(256).optional().describe('All tools when it is absent.'),
});

function statsFrom(over: StatsSpan, { stepMs, periods, total, tools }: TaskStats): Stats {
  return { over, stepMs, periods: periods.map(({ at, ...rest }) => ({ at: timeOf(at), ...rest })), total, tools: [...tools] };
}

/** Shows rates and durations over time. */
export function statsRoutes(scope: FastifyInstance, { tasks }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/stats',
    {
      schema: {
        tags: ['overview'],
        summary: 'How many tasks were created and ended in each period of the latest hour, day or week, and how long they took',
        querystring: StatsQuery,
        response: { 200: Stats, ...ERRORS },
      },
    },
    async ({ query: { over, tool } }) => statsFrom(over, await tasks.stats(over, tool)),
  );
}
