import { omitUndefined } from '@longhaul/mcp-features';
import type { OperatedWorker } from '@longhaul/tasks';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { WARNING_CODES } from '@longhaul/sessions';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import type { RouteDeps } from './route-deps.js';
import { Time, timeOf } from '../schemas/common.js';

const Worker = z
  .object({
    workerId: z.string(),
    version: z.string(),
    tools: z.array(z.string()),
    startedAt: Time,
    slots: z.int().describe('Passes that it runs at once.'),
    busy: z.int().optional().describe('How many it runs now.'),
    running: z
      .array(
        z.object({
          taskId: z.string(),
          tool: z.string().optional().describe('Absent when the task is gone.'),
          since: Time.describe('When the worker was given the pass.'),
          waitsForTrialSince: Time.optional().describe('The pass does not run: its processes have died, and it waits to be tried.'),
        }),
      )
      .describe('Those that have run for longest, the longest first; at most 50.'),
  })
  .meta({ id: 'Worker' });

/** A worker that is alive. */
export type Worker = z.infer<typeof Worker>;

function workerOf({ workerId, version, tools, startedAt, slots, busy, running }: OperatedWorker): z.infer<typeof Worker> {
  const passes = running.map(({ taskId, tool, since, waitsForTrialSince: trial }) =>
    omitUndefined({ taskId, tool, since: timeOf(since), waitsForTrialSince: trial === undefined ? undefined : timeOf(trial) }),
  );
  return omitUndefined({ workerId, version, tools: [...tools], startedAt: timeOf(startedAt), slots, busy, running: passes });
}

/** Shows the state of the deployment. */
/** What makes the deployment work less well. */
export const Warnings = z
  .object({
    warnings: z.array(
      z
        .object({
          code: z.enum(WARNING_CODES),
          message: z.string().describe('What is wrong, and what to do.'),
          processes: z.array(z.string()).describe('The processes that have it.'),
        })
        .meta({ id: 'Warning' }),
    ),
  })
  .meta({ id: 'Warnings' });

/** What makes the deployment work less well, as some of its processes see it. */
export type Warning = z.infer<typeof Warnings>['warnings'][number];

export function overviewRoutes(scope: FastifyInstance, { tasks, warnings }: RouteDeps): void {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  app.get(
    '/workers',
    {
      schema: {
        tags: ['overview'],
        summary: 'Workers that are alive',
        response: { 200: z.object({ workers: z.array(Worker) }), ...ERRORS },
      },
    },
    async () => ({ workers: (await tasks.workers()).map(workerOf) }),
  );
  app.get(
    '/warnings',
    {
      schema: {
        tags: ['overview'],
        summary: 'What makes the deployment work less well: no persistence, clocks, different tools, unknown settings',
        response: { 200: Warnings, ...ERRORS },
      },
    },
    async () => ({ warnings: (await warnings()).map((warning) => Object.assign({}, warning, { processes: [...warning.processes] })) }),
  );
}
