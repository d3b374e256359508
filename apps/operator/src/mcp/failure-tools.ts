/** Defines the tools with which an assistant finds out what fails, and repairs it. */
import { z } from 'zod';
import { Bulk } from '../routes/bulk-routes.js';
import { ListedFailures, RetryFailure, Snooze } from '../routes/failure-routes.js';
import { Reason } from '../schemas/common.js';
import { Failure, FailureDetails, FailureList } from '../schemas/failure.js';
import { Limit, type OperatorTool, READS, tool } from './tool-spec.js';

const FailureOfTool = z.strictObject({ id: z.string().regex(/^[0-9a-f]{16}$/, 'must be the id of a group of failures') });
const MARKS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

export const READING_FAILURES: readonly OperatorTool[] = [
  tool({
    name: 'list-failures',
    title: 'List groups of failures',
    description:
      'Failed tasks by what happened to them, the largest group first: tool, reason, step, a message, counts of the last 24 hours. Groups that operators have dismissed or snoozed have another `state`. The id is `group` of list-tasks.',
    input: ListedFailures.extend({ limit: Limit }),
    output: FailureList,
    annotations: READS,
    run: (input, api) => api.get('/failures', input),
  }),
  tool({
    name: 'show-failure',
    title: 'Show a group of failures',
    description:
      'A group with the stack of its newest task in the files of the author, the owners and versions that it concerns, and its newest tasks.',
    input: FailureOfTool,
    output: FailureDetails,
    annotations: READS,
    run: ({ id }, api) => api.get(`/failures/${id}`),
  }),
];

export const CHANGING_FAILURES: readonly OperatorTool[] = [
  tool({
    name: 'retry-failure',
    title: 'Do the tasks of a group again',
    description:
      'Begins an operation that makes a new task of each failed task of a group: from the start, from the step that failed (`from`: "failed-step"), or with changed arguments (`patch`). What tools do outside is done again. Follow it with show-bulk. `reason` goes to the audit log.',
    input: FailureOfTool.extend(RetryFailure.shape),
    output: Bulk,
    annotations: { ...MARKS, idempotentHint: false, openWorldHint: true },
    run: ({ id, ...retry }, api) => api.post(`/failures/${id}/retry`, retry),
  }),
  tool({
    name: 'snooze-failure',
    title: 'Snooze a group of failures',
    description: 'Hides a group until a time, or until so many more of its tasks have failed. `reason` is shown with it.',
    input: FailureOfTool.extend(Snooze.shape),
    output: Failure,
    annotations: MARKS,
    run: ({ id, ...snooze }, api) => api.post(`/failures/${id}/snooze`, snooze),
  }),
  ...(['dismiss', 'reopen'] as const).map((verb) =>
    tool({
      name: `${verb}-failure`,
      ...{
        dismiss: {
          title: 'Dismiss a group of failures',
          description: 'Hides a group until it is opened again. `reason` is shown with it.',
        },
        reopen: { title: 'Open a group of failures again', description: 'Shows a group again that was dismissed or snoozed.' },
      }[verb],
      input: FailureOfTool.extend({ reason: Reason }),
      output: Failure,
      annotations: MARKS,
      run: ({ id, reason }, api) => api.post(`/failures/${id}/${verb}`, { reason }),
    }),
  ),
];
