/** Defines the tools with which an assistant acts on many tasks. */
import { z } from 'zod';
import { Bulk, BulkCount, BulkCounted, BulkList, BulkStart, MadeOfBulk } from '../routes/bulk-routes.js';
import { Cursor, Reason } from '../schemas/common.js';
import { Limit, type OperatorTool, READS, tool } from './tool-spec.js';

const BulkOfTool = z.strictObject({ id: z.uuid() });
const ABORTS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const READING_BULK: readonly OperatorTool[] = [
  tool({
    name: 'count-bulk',
    title: 'Count the tasks of an operation',
    description: 'How many tasks an operation on a filter would be done to, and some of them; nothing is changed.',
    input: BulkCount,
    output: BulkCounted,
    annotations: READS,
    run: (input, api) => api.post('/bulk/count', input),
  }),
  tool({
    name: 'list-bulk',
    title: 'List operations on many tasks',
    description: 'Operations on many tasks, newest first.',
    input: z.strictObject({}),
    output: BulkList,
    annotations: READS,
    run: (_input, api) => api.get('/bulk'),
  }),
  tool({
    name: 'show-bulk',
    title: 'Show an operation on many tasks',
    description: 'How far an operation is, and the first tasks that it made or could not change.',
    input: BulkOfTool,
    output: Bulk,
    annotations: READS,
    run: ({ id }, api) => api.get(`/bulk/${id}`),
  }),
  tool({
    name: 'made-by-bulk',
    title: 'List the tasks that an operation made',
    description: 'The new tasks of a retry, each with the task that it does again. A page may hold none though it has a cursor.',
    input: BulkOfTool.extend({ limit: Limit, cursor: Cursor.optional() }),
    output: MadeOfBulk,
    annotations: READS,
    run: ({ id, ...page }, api) => api.get(`/bulk/${id}/made`, page),
  }),
];

export const CHANGING_BULK: readonly OperatorTool[] = [
  tool({
    name: 'start-bulk',
    title: 'Act on many tasks',
    description:
      'Begins to cancel, retry or answer all tasks that fit a filter and exist now, for good. Count them first with count-bulk. All tasks are meant by an empty filter with `all`: true and the counted number as `matched`. `reason` goes to the audit log.',
    input: BulkStart,
    output: Bulk,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    run: (input, api) => api.post('/bulk', input),
  }),
  ...(['abort', 'resume'] as const).map((verb) =>
    tool({
      name: `${verb}-bulk`,
      ...{
        abort: {
          title: 'Abort an operation',
          description: 'Ends an operation early. What it has done stays. `reason` goes to the audit log.',
        },
        resume: {
          title: 'Resume an operation',
          description: 'Continues an operation that no process works on. `reason` goes to the audit log.',
        },
      }[verb],
      input: BulkOfTool.extend({ reason: Reason }),
      output: Bulk,
      annotations: ABORTS,
      run: ({ id, reason }, api) => api.post(`/bulk/${id}/${verb}`, { reason }),
    }),
  ),
];
