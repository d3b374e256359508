/** Defines the tools with which an assistant can operate a deployment: each tool is a request to the operator API, in its own schemas. */
import type { McpServer } from '@modelcontextprotocol/server';
import { isTaskId } from '@longhaul/tasks';
import { z } from 'zod';
import { tenantName } from '@longhaul/runtime/tenant-settings';
import type { Operator } from '../access/door.js';
import { Warnings } from '../routes/overview-routes.js';
import { Queue } from '../routes/queue-routes.js';
import { Stats, StatsQuery } from '../routes/stats-routes.js';
import { Answer, QuestionPage } from '../routes/question-routes.js';
import { SentSignal } from '../routes/signal-routes.js';
import { Held, Holdings, Revoke, Revoked } from '../routes/principal-routes.js';
import { Retry, TaskPage, TextAndCursor } from '../routes/task-routes.js';
import { OwnerLimitsAndUse, Settings, Tenant, TenantList } from '../routes/tenant-routes.js';
import { Filter, Reason } from '../schemas/common.js';
import { TaskDetails } from '../schemas/task.js';
import type { OperatorApi } from './operator-api.js';
import { CHANGING_BULK, READING_BULK } from './bulk-tools.js';
import { CHANGING_FAILURES, READING_FAILURES } from './failure-tools.js';
import { CHANGING_SCHEDULES, READING_SCHEDULES } from './schedule-tools.js';
import { CHANGING_SERVERS, READING_SERVERS } from './server-tools.js';
import { Limit, type OperatorTool, READS, tool } from './tool-spec.js';

/** Only a task id goes into a path: below `/tasks` there are other routes too. */
const TaskOfTool = z.strictObject({ taskId: z.string().refine(isTaskId, 'must be the id of a task, a UUID') });

const pathOf = (taskId: string): string => `/tasks/${encodeURIComponent(taskId)}`;

const TOOLS: readonly OperatorTool[] = [
  tool({
    name: 'queue',
    title: 'Queue',
    description: 'How much there is to do: jobs that wait or run, how long the oldest has waited, and tasks by status.',
    input: z.strictObject({}),
    output: Queue,
    annotations: READS,
    run: (_input, api) => api.get('/queue'),
  }),
  tool({
    name: 'stats',
    title: 'Rates and durations',
    description:
      'How many tasks were created, completed, failed and were cancelled in each period of the latest hour, day or week, of all tools or of one, and how long they took.',
    input: StatsQuery,
    output: Stats,
    annotations: READS,
    run: (input, api) => api.get('/stats', input),
  }),
  ...READING_FAILURES,
  tool({
    name: 'warnings',
    title: 'Warnings',
    description: 'What makes the deployment work less well: a Redis that keeps nothing, clocks, different tools, unknown settings.',
    input: z.strictObject({}),
    output: Warnings,
    annotations: READS,
    run: (_input, api) => api.get('/warnings'),
  }),
  tool({
    name: 'list-tasks',
    title: 'List tasks',
    description:
      'Tasks of all owners that fit a filter, newest first. A page may hold fewer tasks than asked for though there are more: then it has a cursor.',
    input: Filter.extend({ ...TextAndCursor.shape, limit: Limit }),
    output: TaskPage,
    annotations: READS,
    run: (input, api) => api.get('/tasks', input),
  }),
  tool({
    name: 'show-task',
    title: 'Show a task',
    description: 'A task with what it was called with, why it waits, what it asks, and how it ended.',
    input: TaskOfTool,
    output: TaskDetails,
    annotations: READS,
    run: ({ taskId }, api) => api.get(pathOf(taskId)),
  }),
  tool({
    name: 'list-questions',
    title: 'List questions',
    description: 'Open questions of tasks, newest task first. Those that are answerable take answer-question.',
    input: Filter.omit({ status: true, failure: true }).extend({ limit: Limit, cursor: TextAndCursor.shape.cursor }),
    output: QuestionPage,
    annotations: READS,
    run: (input, api) => api.get('/questions', input),
  }),
  tool({
    name: 'list-tenants',
    title: 'List tenants',
    description: 'What holds for all tenants, and for those of whom something is said: limits of their owners, and shares of the workers.',
    input: z.strictObject({}),
    output: TenantList,
    annotations: READS,
    run: (_input, api) => api.get('/tenants'),
  }),
  tool({
    name: 'show-owner',
    title: 'Show the limits of an owner',
    description: 'What an owner may have now, and what it uses of that: tasks, and sessions that are open. Tasks name their owners.',
    input: z.strictObject({ owner: z.string().max(1_024) }),
    output: OwnerLimitsAndUse,
    annotations: READS,
    run: ({ owner }, api) => api.get('/owners/limits', { owner }),
  }),
  tool({
    name: 'show-principal',
    title: 'Show what a caller has',
    description:
      'How many tasks and open sessions a caller has, under which owners, and whether it is revoked. `principal` is as in revoke-principal. A hash stands for the id of a session.',
    input: Held,
    output: Holdings,
    annotations: READS,
    run: (input, api) => api.post('/principals/holdings', input),
  }),
  ...READING_SCHEDULES,
  ...READING_SERVERS,
  ...READING_BULK,
  tool({
    name: 'set-tenant',
    title: 'Change what a tenant may have',
    description:
      'Changes the settings of a tenant, instead of earlier ones from operators, in all processes within 5 s. null removes a limit. `reason` goes to the audit log.',
    input: z.strictObject({ tenant: tenantName, settings: Settings, reason: Reason }),
    output: Tenant,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    run: ({ tenant, settings, reason }, api) => api.put(`/tenants/${encodeURIComponent(tenant)}`, { settings, reason }),
  }),
  tool({
    name: 'answer-question',
    title: 'Answer a question',
    description:
      'Answers, declines or cancels a question instead of the client: the first answer counts. `content` has the fields of the requestedSchema of the question. `reason` goes to the audit log.',
    input: TaskOfTool.extend({ key: z.string().max(1_024).describe('The key of the question.'), ...Answer.shape }),
    output: TaskDetails,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run({ taskId, key, ...answer }, api) {
      await api.post(`${pathOf(taskId)}/answers/${encodeURIComponent(key)}`, answer);
      return api.get(pathOf(taskId));
    },
  }),
  tool({
    name: 'send-signal',
    title: 'Send a signal',
    description:
      'Sends a value to a task by a name, for good. show-task has the signals that a task waits for, with the schemas that a value must fit. A task that does not wait keeps it. `reason` goes to the audit log.',
    input: TaskOfTool.extend(SentSignal.shape),
    output: TaskDetails,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run({ taskId, ...signal }, api) {
      await api.post(`${pathOf(taskId)}/signals`, signal);
      return api.get(pathOf(taskId));
    },
  }),
  tool({
    name: 'cancel-task',
    title: 'Cancel a task',
    description: 'Ends a task that has not ended, for good. `reason` goes to the audit log.',
    input: TaskOfTool.extend({ reason: Reason }),
    output: TaskDetails,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: ({ taskId, reason }, api) => api.post(`${pathOf(taskId)}/cancel`, { reason }),
  }),
  tool({
    name: 'retry-task',
    title: 'Do a task again',
    description:
      'Makes a new task of a recorded one, which itself stays as it is: from the start, from a step, or with other arguments. What its tool does outside is done again. `reason` goes to the audit log.',
    input: TaskOfTool.extend(Retry.shape),
    output: TaskDetails,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    run: ({ taskId, ...retry }, api) => api.post(`${pathOf(taskId)}/retry`, retry),
  }),
  tool({
    name: 'revoke-principal',
    title: 'Revoke a caller',
    description:
      'Refuses the tokens of a caller from now on, ends its streams and sessions, cancels its tasks and withholds their results. `principal` has a `name` (static token) or an `issuer` with `subject`, `tenant`, both, or neither for all of the issuer. `reason` goes to the audit log.',
    input: Revoke,
    output: Revoked,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    run: (input, api) => api.post('/principals/revoke', input),
  }),
  ...CHANGING_SCHEDULES,
  ...CHANGING_SERVERS,
  ...CHANGING_FAILURES,
  ...CHANGING_BULK,
];

/** Registers the tools that an operator may use. */
export function registerTools(server: McpServer, role: Operator['role'], api: OperatorApi): void {
  for (const { isReading, register } of TOOLS) if (isReading || role === 'operate') register(server, api);
}
