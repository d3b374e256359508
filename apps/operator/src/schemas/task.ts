/** Converts tasks to the operator API's format. */
import {
  type ListedTask,
  type NumberedEvent,
  type OperatorTask,
  ROW_STATUSES,
  rowOf,
  type TaskView,
  type WaitingReason,
  waitingReasonOf,
} from '@longhaul/tasks';
import { omitUndefined } from '@longhaul/mcp-features';
import { z } from 'zod';
import { isApproval } from '../answers/answer-of.js';
import type { LinkTemplates } from '../links/link-settings.js';
import { linkOf, traceIdOf } from '../links/task-links.js';
import { Spent, Time, timeOf } from './common.js';
import { Webhook, webhookOf } from './webhook.js';

const HeldBackBy = z
  .object({
    by: z.enum(['key', 'rate', 'tool', 'shared', 'tenant']),
    ahead: z.int().describe('How many tasks stand before it.'),
  })
  .meta({
    id: 'HeldBack',
    description:
      'In the details of a task: the limit that it waits for. `key` and `rate` are maxRunning and perSecond of the `limit` of its tool, `tool` and `shared` its maxRunning and sharedLimit, `tenant` the maxRunning of its tenant.',
  });

const Waiting = z
  .discriminatedUnion('for', [
    z.object({ for: z.literal('question'), keys: z.array(z.string()), since: Time, until: Time.optional() }),
    z.object({ for: z.literal('child'), keys: z.array(z.string()), since: Time, until: Time.optional() }),
    z.object({ for: z.literal('signal'), names: z.array(z.string()), since: Time, until: Time.optional() }),
    z.object({ for: z.literal('timer'), since: Time, until: Time }),
    z.object({ for: z.literal('retry'), until: Time, attempt: z.int() }),
    z
      .object({ for: z.literal('trial'), since: Time })
      .describe('Processes that ran it have died. A worker has it, and will run it in a process made for it.'),
    z.object({ for: z.literal('queue'), since: Time, heldBack: HeldBackBy.optional() }),
    z.object({ for: z.literal('worker'), workerId: z.string(), since: Time, version: z.string().optional() }),
  ])
  .meta({ id: 'WaitingReason', description: 'Why an unfinished task does not continue at this moment.' });

/** A task in a list. */
export const TaskSummary = z
  .object({
    taskId: z.string(),
    tool: z.string(),
    owner: z.string(),
    status: z.enum(ROW_STATUSES),
    reason: z
      .string()
      .optional()
      .describe(
        'Of a failed task: the reason of docs/errors.md, or the code of the error; TOOL_ERROR for one without a code, or an error result.',
      ),
    message: z.string().optional().describe('How it ended, or what it says of itself.'),
    version: z.string().optional().describe('Version of the deployment whose worker began its latest pass.'),
    createdAt: Time,
    updatedAt: Time,
    endedAt: Time.optional(),
    traceId: z.string().describe('The trace that it belongs to. There are spans of it only where traces are on.'),
    traceUrl: z.string().optional().describe('By `LONGHAUL_TRACE_URL`.'),
    attempt: z.int(),
    waiting: Waiting.optional(),
    match: z
      .object({ place: z.enum(['arguments', 'error', 'result', 'reason']), excerpt: z.string() })
      .optional()
      .describe('Where the text was found that was looked for.'),
    /** Made for a plain call, whose caller waits for it. */
    implicit: z.boolean().optional(),
    retriedAs: z.string().optional().describe('The task that does it again, the latest one.'),
    isImported: z.literal(true).optional().describe('It is a history that was imported, and ran elsewhere.'),
  })
  .meta({ id: 'TaskSummary' });

const Input = z
  .object({ key: z.string(), method: z.string(), params: z.record(z.string(), z.unknown()), approval: z.boolean() })
  .meta({ id: 'PendingInput' });

const Signals = z
  .object({
    awaited: z
      .array(
        z.object({
          key: z.string(),
          names: z.array(z.string()),
          since: Time,
          until: Time.optional(),
          schema: z.record(z.string(), z.unknown()).optional(),
        }),
      )
      .describe('Waits for signals, with the JSON Schema that a value must fit.'),
    kept: z
      .array(z.object({ name: z.string(), bytes: z.int(), via: z.string() }))
      .describe('Signals that no wait has taken yet, the oldest first.'),
  })
  .meta({ id: 'SignalsOfTask' });

/** A task with its details. */
export const TaskDetails = TaskSummary.extend({
  streamVersion: z.int(),
  logsUrl: z.string().optional().describe('Its log lines, by `LONGHAUL_LOGS_URL`.'),
  arguments: z.record(z.string(), z.unknown()),
  client: z.object({ name: z.string().optional(), version: z.string().optional(), protocolVersion: z.string() }),
  sessionId: z.string().optional(),
  ttlMs: z.number(),
  progress: z.object({ progress: z.number(), total: z.number().optional(), message: z.string().optional() }).optional(),
  exposed: z.unknown().optional().describe('The value that the tool shows, by `context.expose`.'),
  spent: Spent.optional().describe('What it has spent, as its tool says by `context.spend`, with the ended tasks that it has called.'),
  budget: Spent.optional().describe('The most that it may spend.'),
  priority: z.int().optional().describe('Whether it comes before or after other tasks of its owner; 0 when it is absent.'),
  pendingInputs: z.array(Input),
  signals: Signals.optional(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  thrown: z
    .object({
      name: z.string(),
      code: z.union([z.string(), z.number()]).optional(),
      step: z.string().optional().describe('The step that has failed with it.'),
      stack: z.string().optional().describe("The error and its causes, with the frames in the author's files."),
    })
    .optional()
    .describe('What the function of a failed task has thrown. Clients never get it.'),
  cancelledBy: z.string().optional(),
  startedBy: z.string().optional().describe('The operator who started it instead of a client.'),
  forkedFrom: z
    .object({ taskId: z.string(), version: z.int(), by: z.string().optional() })
    .optional()
    .describe('The task that an operator has made it from.'),
  parent: z
    .object({ taskId: z.string(), key: z.string(), rootTaskId: z.string(), path: z.array(z.string()) })
    .optional()
    .describe('The task that has called it, the call, the task at the top, and the tools in between.'),
  children: z
    .array(z.object({ key: z.string(), taskId: z.string(), tool: z.string() }))
    .optional()
    .describe('The tasks that it has called and waits for. The timeline has all of them.'),
  webhooks: z.array(Webhook).optional().describe('Its webhooks, and what became of them.'),
  webhooksLeftOut: z.int().optional().describe('Webhooks that were left out, because too many waited.'),
  imported: z
    .object({ taskId: z.string(), at: Time, by: z.string() })
    .optional()
    .describe('Of a history that was imported: its id where it is from, when, and by whom.'),
}).meta({ id: 'TaskDetails' });

/** An event of a task. */
export const HistoryEvent = z
  .object({ version: z.int(), type: z.string(), at: Time, data: z.record(z.string(), z.unknown()) })
  .meta({ id: 'HistoryEvent' });

export function summaryOf(
  { row, view, match, retriedAs, waitsForTrialSince, heldBack }: ListedTask & Pick<OperatorTask, 'heldBack'>,
  templates: LinkTemplates,
): z.infer<typeof TaskSummary> {
  const { taskId, tool, owner, status, reason, version, createdAt, endedAt } = row;
  const now = Date.now();
  const waiting = waitingReasonOf(view, now, waitsForTrialSince);
  return omitUndefined({
    taskId,
    tool,
    owner,
    status,
    reason,
    message: view.ending?.message ?? view.statusMessage,
    version,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(view.updatedAt),
    endedAt: endedAt === undefined ? undefined : timeOf(endedAt),
    traceId: traceIdOf(view),
    traceUrl: linkOf(templates.trace, view, now),
    attempt: view.standing.attempt ?? 1,
    waiting: waiting && waitingOf(waiting, heldBack),
    match: match && { ...match },
    implicit: view.implicit,
    retriedAs,
    isImported: view.isImported,
  });
}

export function detailsOf(task: OperatorTask, templates: LinkTemplates): z.infer<typeof TaskDetails> {
  const { view, outcome, created, webhooks, retriedAs, heldBack, waitsForTrialSince } = task;
  const { name, version, protocolVersion } = created.client;
  return omitUndefined({
    ...summaryOf(omitUndefined({ row: rowOf(view), view, retriedAs, waitsForTrialSince, heldBack }), templates),
    streamVersion: view.version,
    logsUrl: linkOf(templates.logs, view, Date.now()),
    arguments: created.arguments,
    client: omitUndefined({ name, version, protocolVersion }),
    sessionId: view.sessionId,
    ttlMs: view.ttlMs,
    progress: view.progress,
    exposed: view.exposed?.value,
    spent: view.spent && { ...view.spent },
    budget: view.budget && { ...view.budget },
    priority: view.priority,
    pendingInputs: inputsOf(view),
    signals: view.signals && signalsOf(view.signals),
    result: outcome?.kind === 'result' ? outcome.result : undefined,
    error: outcome?.kind === 'error' ? outcome.error : undefined,
    thrown: outcome === undefined || outcome.kind === 'cancelled' ? undefined : outcome.thrown && { ...outcome.thrown },
    cancelledBy: outcome?.kind === 'cancelled' ? outcome.by : undefined,
    startedBy: created.startedBy,
    forkedFrom: created.forkedFrom && originOf(created.forkedFrom),
    parent: view.parent && parentOf(view.parent),
    children: view.children?.map(({ key, taskId, tool }) => ({ key, taskId, tool })),
    webhooks: webhooks?.webhooks.map(webhookOf),
    webhooksLeftOut: webhooks !== undefined && webhooks.leftOut > 0 ? webhooks.leftOut : undefined,
    imported: created.imported && importOf(created.imported),
  });
}

function originOf({ taskId, version, by }: NonNullable<TaskView['forkedFrom']>): NonNullable<z.infer<typeof TaskDetails>['forkedFrom']> {
  return { taskId, version, ...(by !== undefined && { by }) };
}

function parentOf({ taskId, key, rootTaskId, path }: NonNullable<TaskView['parent']>): NonNullable<z.infer<typeof TaskDetails>['parent']> {
  return { taskId, key, rootTaskId, path: [...path] };
}

function importOf({ taskId, at, by }: NonNullable<OperatorTask['created']['imported']>): { taskId: string; at: string; by: string } {
  return { taskId, at: timeOf(at), by };
}

export function eventOf({ version, type, at, data }: NumberedEvent): z.infer<typeof HistoryEvent> {
  return { version, type, at: timeOf(at), data: { ...data } };
}

function signalsOf({ awaited, kept }: NonNullable<TaskView['signals']>): z.infer<typeof Signals> {
  return {
    awaited: awaited.map(({ key, names, since, until, schema }) =>
      omitUndefined({ key, names: [...names], since: timeOf(since), until: until === undefined ? undefined : timeOf(until), schema }),
    ),
    kept: kept.map(({ name, bytes, via }) => ({ name, bytes, via })),
  };
}

function inputsOf({ pendingInputs }: TaskView): z.infer<typeof Input>[] {
  return pendingInputs.map(({ key, method, params }) => ({ key, method, params, approval: isApproval(params) }));
}

function waitingOf(waiting: WaitingReason, heldBack: OperatorTask['heldBack']): z.infer<typeof Waiting> {
  switch (waiting.for) {
    case 'question':
    case 'child':
      return {
        ...waiting,
        keys: [...waiting.keys],
        since: timeOf(waiting.since),
        until: waiting.until === undefined ? undefined : timeOf(waiting.until),
      };
    case 'signal':
      return {
        ...waiting,
        names: [...waiting.names],
        since: timeOf(waiting.since),
        until: waiting.until === undefined ? undefined : timeOf(waiting.until),
      };
    case 'timer':
      return { for: 'timer', since: timeOf(waiting.since), until: timeOf(waiting.until) };
    case 'retry':
      return { for: 'retry', until: timeOf(waiting.until), attempt: waiting.attempt };
    case 'trial':
      return { for: 'trial', since: timeOf(waiting.since) };
    case 'queue':
      return { for: 'queue', since: timeOf(waiting.since), ...(heldBack !== undefined && { heldBack: { ...heldBack } }) };
    case 'worker':
      return { ...waiting, since: timeOf(waiting.since) };
  }
}
