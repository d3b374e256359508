import { omitUndefined } from '@longhaul/mcp-features';
import { z } from 'zod';
import { ERRORS } from '../http/problems.js';
import { Time, timeOf } from '../schemas/common.js';
const FailureGroup = z.object({ tool: z.string(), reason: z.string(), count: z.int(), latestAt: Time }).meta({ id: 'FailureGroup' });
/** Failed tasks by tool and reason. */
export const FailureGroups = z.object({ groups: z.array(FailureGroup) });
const Worker = z
    .object({
    workerId: z.string(),
    version: z.string(),
    tools: z.array(z.string()),
    startedAt: Time,
    slots: z.int().optional().describe('Passes that it runs at once. Absent of a worker of an earlier version.'),
    busy: z.int().optional().describe('How many it runs now.'),
    running: z
        .array(z.object({
        taskId: z.string(),
        tool: z.string().optional().describe('Absent when the task is gone.'),
        since: Time.describe('When the worker was given the pass.'),
    }))
        .describe('Those that have run for longest, the longest first; at most 50.'),
})
    .meta({ id: 'Worker' });
function workerOf({ workerId, version, tools, startedAt, slots, busy, running }) {
    const passes = running.map(({ taskId, tool, since }) => omitUndefined({ taskId, tool, since: timeOf(since) }));
    return omitUndefined({ workerId, version, tools: [...tools], startedAt: timeOf(startedAt), slots, busy, running: passes });
}
/** Where everything stands. */
export function overviewRoutes(scope, { tasks }) {
    const app = scope.withTypeProvider();
    app.get('/failed', {
        schema: {
            tags: ['overview'],
            summary: 'Failed tasks by tool and reason, the largest group first',
            response: { 200: FailureGroups, ...ERRORS },
        },
    }, async () => {
        const { failures } = await tasks.standings();
        return { groups: failures.map(({ tool, reason, count, latestAt }) => ({ tool, reason, count, latestAt: timeOf(latestAt) })) };
    });
    app.get('/workers', {
        schema: {
            tags: ['overview'],
            summary: 'Workers that are alive',
            response: { 200: z.object({ workers: z.array(Worker) }), ...ERRORS },
        },
    }, async () => ({ workers: (await tasks.workers()).map(workerOf) }));
}
//# sourceMappingURL=overview-routes.js.map