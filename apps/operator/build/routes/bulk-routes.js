import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { requireOperator } from '../access/access-check.js';
import { BULK_ACTIONS } from '../bulk/bulk-record.js';
import { ERRORS } from '../http/problems.js';
import { sendEvents } from '../http/event-stream.js';
import { Filter, filterOf, Reason, Said, Time, timeOf } from '../schemas/common.js';
/** How often progress is looked for while somebody follows it. */
const LOOK_MS = 300;
const Bulk = z
    .object({
    id: z.string(),
    action: z.enum(BULK_ACTIONS),
    state: z.enum(['running', 'done', 'aborted']),
    who: z.string(),
    reason: z.string(),
    createdAt: Time,
    endedAt: Time.optional(),
    matched: z.int().describe('Tasks that there were when it began.'),
    done: z.int(),
    skipped: z.int().describe('Tasks that had changed meanwhile.'),
    failed: z.int(),
    failures: z.array(z.object({ taskId: z.string(), code: z.string() })).describe('The first of those that failed.'),
})
    .meta({ id: 'BulkOperation' });
const BulkPath = z.object({ id: z.string().max(64) });
const BulkStart = z
    .object({
    action: z.enum(BULK_ACTIONS),
    filter: Filter,
    answer: Said.optional().describe('What is said to each question that operators may answer; with the action `answer`, and no other.'),
    reason: Reason,
})
    .refine(({ action, answer }) => (action === 'answer') === (answer !== undefined), {
    path: ['answer'],
    message: 'must be given with the action "answer", and with no other one',
});
const WithReason = z.object({ reason: Reason });
function bulkOf({ id, action, state, who, reason, createdAt, endedAt, matched, done, skipped, failed, failures, }) {
    const ended = endedAt === undefined ? {} : { endedAt: timeOf(endedAt) };
    return {
        id,
        action,
        state,
        who,
        reason,
        createdAt: timeOf(createdAt),
        ...ended,
        matched,
        done,
        skipped,
        failed,
        failures: [...failures],
    };
}
/** Operations on all tasks that fit a filter. */
export function bulkRoutes(scope, deps) {
    writeRoutes(scope, deps);
    readRoutes(scope, deps);
}
function writeRoutes(scope, { bulk, audited }) {
    const app = scope.withTypeProvider();
    app.post('/bulk/count', {
        schema: {
            tags: ['bulk'],
            summary: 'How many tasks an operation would be done to; nothing is changed',
            body: z.object({ action: z.enum(BULK_ACTIONS), filter: Filter }),
            response: { 200: z.object({ matched: z.int(), sample: z.array(z.string()) }), ...ERRORS },
        },
    }, async ({ body: { action, filter } }) => {
        const { matched, sample } = await bulk.count({ action, filter: filterOf(filter) });
        return { matched, sample: [...sample] };
    });
    app.post('/bulk', {
        schema: {
            tags: ['bulk'],
            summary: 'Begins an operation on all tasks that fit the filter and exist now',
            body: BulkStart,
            response: { 202: Bulk, ...ERRORS },
        },
    }, async (request, reply) => {
        const { action, filter, answer, reason } = request.body;
        const who = requireOperator(request.operator);
        const act = {
            who,
            action: `bulk.${action}`,
            target: 'tasks',
            reason,
            details: { filter: { ...filter }, ...(answer !== undefined && { said: answer.action }) },
        };
        const record = await audited(act, () => bulk.start({ action, filter: filterOf(filter), answer }, who, reason));
        return reply.code(202).send(bulkOf(record));
    });
    for (const verb of ['abort', 'resume'])
        app.post(`/bulk/:id/${verb}`, { schema: { tags: ['bulk'], params: BulkPath, body: WithReason, response: { 200: Bulk, ...ERRORS } } }, async (request) => {
            const { id } = request.params;
            const act = { who: requireOperator(request.operator), action: `bulk.${verb}`, target: id, reason: request.body.reason };
            return bulkOf(await audited(act, () => bulk[verb](id)));
        });
}
function readRoutes(scope, deps) {
    const { bulk, closing } = deps;
    const app = scope.withTypeProvider();
    app.get('/bulk', {
        schema: {
            tags: ['bulk'],
            summary: 'Bulk operations, newest first',
            response: { 200: z.object({ operations: z.array(Bulk) }), ...ERRORS },
        },
    }, async () => ({ operations: (await bulk.list()).map(bulkOf) }));
    app.get('/bulk/:id', { schema: { tags: ['bulk'], params: BulkPath, response: { 200: Bulk, ...ERRORS } } }, async ({ params: { id } }) => bulkOf(await bulk.get(id)));
    app.get('/bulk/:id/events', { schema: { tags: ['bulk'], summary: 'Its progress as server-sent events `progress`, until it has ended', params: BulkPath } }, async ({ params: { id } }, reply) => {
        const first = await bulk.get(id);
        await sendEvents(reply, closing, (signal) => progressOf(deps, first, signal));
    });
}
async function* progressOf({ bulk }, first, signal) {
    let shown = '';
    for (let record = first;; record = await bulk.get(first.id)) {
        const data = bulkOf(record);
        const text = JSON.stringify(data);
        if (text !== shown)
            yield { event: 'progress', data };
        shown = text;
        if (record.state !== 'running' || signal.aborted)
            return;
        await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
}
//# sourceMappingURL=bulk-routes.js.map