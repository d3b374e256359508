import { omitUndefined } from '@longhaul/mcp-features';
import { type PausedWork, ROW_STATUSES } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import type { Act } from '../access/audit.js';
import { ERRORS, Refused } from '../http/problems.js';
import { Reason } from '../schemas/common.js';
import type { RouteDeps } from './route-deps.js';

const Paused = z
  .object({
    all: z.boolean().describe('Whether no new pass begins at all.'),
    tools: z.array(z.string()).describe('Tools that are paused by themselves.'),
  })
  .meta({ id: 'Paused' });

/** The paused queue or tools. */
export type Paused = z.infer<typeof Paused>;

/** How many tasks wait and run. */
export const Queue = z
  .object({
    waiting: z.int().describe('Jobs that could be taken at once.'),
    setAside: z.int().describe('Jobs that are set aside while they are paused.'),
    delayed: z.int().describe('Jobs that are due later.'),
    running: z.int().describe('Jobs that workers hold.'),
    oldestWaitMs: z.number().optional().describe('How long the oldest of those that wait has waited.'),
    overdue: z.object({ count: z.int(), oldestMs: z.number().optional() }).describe('Tasks that should have been looked at.'),
    byStatus: z.object(
      Object.fromEntries(ROW_STATUSES.map((status) => [status, z.int()])) as Record<(typeof ROW_STATUSES)[number], z.ZodInt>,
    ),
    paused: Paused,
  })
  .meta({ id: 'Queue' });

/** How many tasks wait and run. */
export type Queue = z.infer<typeof Queue>;

/** Each delivery to a worker is compared with all of them. */
const MAX_PAUSED_TOOLS = 1_000;

function pausedOf({ all, tools }: PausedWork): Paused {
  return { all, tools: [...tools] };
}

/** Shows how many tasks wait and run, and pauses the queue. */
export function queueRoutes(scope: FastifyInstance, { tasks, audited }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get('/queue', { schema: { tags: ['queue'], summary: 'How much there is to do', response: { 200: Queue, ...ERRORS } } }, async () => {
    const { queue, overdue, byStatus, paused } = await tasks.standings();
    return { ...queue, overdue, byStatus, paused: pausedOf(paused) };
  });
  const verbs = {
    pause: 'Starts no new pass of a tool, or of any tool, until it is resumed. Running passes continue; cancellations and deadlines apply',
    resume: 'Has the passes begin that waited for it',
  } as const;
  for (const verb of ['pause', 'resume'] as const)
    app.post(
      `/queue/${verb}`,
      {
        schema: {
          tags: ['queue'],
          summary: verbs[verb],
          body: z.strictObject({ tool: z.string().min(1).max(256).optional().describe('All tools when it is absent.'), reason: Reason }),
          response: { 200: z.object({ paused: Paused }), ...ERRORS },
        },
      },
      async ({ body: { tool, reason }, operator }) => {
        const act: Act = {
          who: requireOperator(operator),
          action: `queue.${verb}`,
          target: tool ?? 'all',
          reason,
          details: omitUndefined({ tool }),
        };
        const paused = await audited(act, async () => {
          if (verb === 'pause' && tool !== undefined) await requireRoom();
          return tasks[verb](tool);
        });
        return { paused: pausedOf(paused) };
      },
    );

  async function requireRoom(): Promise<void> {
    const { tools } = await tasks.paused();
    if (tools.length >= MAX_PAUSED_TOOLS)
      throw new Refused(409, 'TOO_MANY_PAUSED', `At most ${MAX_PAUSED_TOOLS} tools can be paused by themselves; pause the whole queue.`);
  }
}
