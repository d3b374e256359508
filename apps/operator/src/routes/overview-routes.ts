import { ROW_STATUSES } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { RouteDeps } from './route-deps.js';
import { Time, timeOf } from '../schemas/common.js';
import { ERRORS } from './errors.js';

/** How much there is to do. */
export const Queue = z
  .object({
    waiting: z.int().describe('Jobs that could be taken at once.'),
    delayed: z.int().describe('Jobs that are due later.'),
    running: z.int().describe('Jobs that workers hold.'),
    oldestWaitMs: z.number().optional().describe('How long the oldest of those that wait has waited.'),
    overdue: z.object({ count: z.int(), oldestMs: z.number().optional() }).describe('Tasks that should have been looked at.'),
    byStatus: z.object(
      Object.fromEntries(ROW_STATUSES.map((status) => [status, z.int()])) as Record<(typeof ROW_STATUSES)[number], z.ZodInt>,
    ),
  })
  .meta({ id: 'Queue' });

const FailureGroup = z.object({ tool: z.string(), reason: z.string(), count: z.int(), latestAt: Time }).meta({ id: 'FailureGroup' });

/** Failed tasks by tool and reason. */
export const FailureGroups = z.object({ groups: z.array(FailureGroup) });

const Worker = z.object({ workerId: z.string(), version: z.string(), tools: z.array(z.string()), startedAt: Time }).meta({ id: 'Worker' });

/** Where everything stands. */
export function overviewRoutes(scope: FastifyInstance, { tasks }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/queue',
    { schema: { tags: ['overview'], summary: 'How much there is to do', response: { 200: Queue, ...ERRORS } } },
    async () => {
      const { queue, overdue, byStatus } = await tasks.standings();
      return { ...queue, overdue, byStatus };
    },
  );
  app.get(
    '/failed',
    {
      schema: {
        tags: ['overview'],
        summary: 'Failed tasks by tool and reason, the largest group first',
        response: { 200: FailureGroups, ...ERRORS },
      },
    },
    async () => {
      const { failures } = await tasks.standings();
      return { groups: failures.map(({ tool, reason, count, latestAt }) => ({ tool, reason, count, latestAt: timeOf(latestAt) })) };
    },
  );
  app.get(
    '/workers',
    {
      schema: {
        tags: ['overview'],
        summary: 'Workers that are alive',
        response: { 200: z.object({ workers: z.array(Worker) }), ...ERRORS },
      },
    },
    async () => {
      const workers = await tasks.workers();
      return {
        workers: workers.map(({ workerId, version, tools, startedAt }) => ({
          workerId,
          version,
          tools: [...tools],
          startedAt: timeOf(startedAt),
        })),
      };
    },
  );
}
