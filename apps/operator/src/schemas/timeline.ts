/** Converts timelines to the operator API's format. */
import { omitUndefined } from '@longhaul/mcp-features';
import {
  type CallSpan,
  OPERATION_KINDS,
  type OperationSpan,
  type PassSpan,
  type RecordedError,
  type Timeline,
  type TrySpan,
  WAIT_REASONS,
  type WaitSpan,
} from '@longhaul/tasks';
import { z } from 'zod';
import { Time, timeOf } from './common.js';

const Thrown = z.object({
  name: z.string(),
  message: z.string(),
  code: z.union([z.string(), z.number()]).optional(),
  stack: z.string().optional().describe("The error and its causes, with the frames in the author's files."),
});

const Pass = z
  .object({
    version: z.int().describe('Of its first event.'),
    pass: z.int(),
    epoch: z.int(),
    workerId: z.string(),
    deployment: z.string().optional(),
    attempt: z.int(),
    trial: z.enum(['together', 'alone']).optional(),
    startedAt: Time,
    endedAt: Time.optional(),
    ending: z
      .enum(['completed', 'continued', 'suspended', 'released', 'retrying', 'failed', 'cancelled', 'lost'])
      .optional()
      .describe('Absent while it runs; `lost`: its worker is gone, and another pass has taken over at `endedAt`.'),
    error: Thrown.optional(),
  })
  .meta({ id: 'PassSpan', description: 'One pass of one worker.' });

const Try = z.object({
  attempt: z.int(),
  startedAt: Time.optional(),
  endedAt: Time.optional(),
  error: Thrown.optional(),
  retryAt: Time.optional(),
  isLost: z.literal(true).optional(),
});

const Operation = z
  .object({
    key: z.string(),
    name: z.string(),
    kind: z.enum(Object.values(OPERATION_KINDS).map(({ shown }) => shown)),
    status: z.enum(['running', 'waiting', 'retrying', 'completed', 'failed', 'interrupted']),
    version: z.int().describe('Of the first event about it.'),
    settledVersion: z.int().optional(),
    startedAt: Time.optional().describe('Absent where it is not known.'),
    settledAt: Time.optional(),
    tries: z.array(Try).describe('Of a step: the latest ones.'),
    triesLeftOut: z.int().optional().describe('Earlier ones that are not listed.'),
    method: z.string().optional(),
    dueAt: Time.optional(),
    childTaskId: z.string().optional().describe('Of a call of another tool: its task.'),
    childTool: z.string().optional(),
    isCopied: z.literal(true).optional().describe('It was recorded in the task that this one was made from.'),
  })
  .meta({ id: 'OperationSpan', description: 'A step, a question to the client, a timer, or a call of another tool.' });

const Wait = z
  .object({
    reason: z.enum(WAIT_REASONS),
    keys: z.array(z.string()),
    startedAt: Time,
    endedAt: Time.optional(),
  })
  .meta({ id: 'WaitSpan', description: 'What the task waited for between its passes.' });

const Call = z
  .object({
    version: z.int().describe('Of the event with which the task left it.'),
    startedAt: Time,
    endedAt: Time,
    because: z.enum(['handed-over', 'abandoned', 'followed']).describe('Why the task left it.'),
    how: z.enum(['cancelled', 'closed']).optional().describe('Of an abandoned call; `closed`: the connection, without a message.'),
    reason: z.string().optional().describe('As its client gave it.'),
    client: z.string().optional(),
    continuedBy: z.enum(['tool', 'setting', 'reason', 'time', 'stream']).optional().describe('What decided that the task continues.'),
  })
  .meta({ id: 'CallSpan', description: 'The plain call of a task that has left it.' });

/** A page of a timeline: the requested number of each kind. */
export const TimelinePage = z
  .object({
    passes: z.array(Pass),
    operations: z.array(Operation),
    waits: z.array(Wait),
    call: Call.optional(),
    counts: z.object({ passes: z.int(), operations: z.int(), waits: z.int() }).describe('Of all of them.'),
    next: z.int().optional().describe('The offset to continue at; absent when this page has the last ones.'),
  })
  .meta({ id: 'Timeline' });

/** Tries and keys of one span that are listed: a step may be tried without limit. */
const LISTED = 50;

/** The part of a timeline that begins at an offset; the order of entries before the last ones never changes. */
export function timelinePageOf({ passes, operations, waits, call }: Timeline, offset: number, limit: number): z.infer<typeof TimelinePage> {
  const end = offset + limit;
  const isMore = [passes, operations, waits].some(({ length }) => length > end);
  return {
    passes: passes.slice(offset, end).map(passOf),
    operations: operations.slice(offset, end).map(operationOf),
    waits: waits.slice(offset, end).map(waitOf),
    ...(call !== undefined && { call: callOf(call) }),
    counts: { passes: passes.length, operations: operations.length, waits: waits.length },
    ...(isMore && { next: end }),
  };
}

/** The last spans of each kind, in the requested number. */
export function timelineEndOf({ passes, operations, waits, call }: Timeline, count: number): z.infer<typeof TimelinePage> {
  return {
    passes: passes.slice(-count).map(passOf),
    operations: operations.slice(-count).map(operationOf),
    waits: waits.slice(-count).map(waitOf),
    ...(call !== undefined && { call: callOf(call) }),
    counts: { passes: passes.length, operations: operations.length, waits: waits.length },
  };
}

function passOf({ startedAt, endedAt, error, ...rest }: PassSpan): z.infer<typeof Pass> {
  return omitUndefined({ ...rest, startedAt: timeOf(startedAt), endedAt: timeIf(endedAt), error: thrownOf(error) });
}

function operationOf({ startedAt, settledAt, dueAt, tries, ...rest }: OperationSpan): z.infer<typeof Operation> {
  const leftOut = Math.max(0, tries.length - LISTED);
  return omitUndefined({
    ...rest,
    startedAt: timeIf(startedAt),
    settledAt: timeIf(settledAt),
    dueAt: timeIf(dueAt),
    tries: tries.slice(leftOut).map(tryOf),
    triesLeftOut: leftOut > 0 ? leftOut : undefined,
  });
}

function tryOf({ startedAt, endedAt, retryAt, error, ...rest }: TrySpan): z.infer<typeof Try> {
  return omitUndefined({
    ...rest,
    startedAt: timeIf(startedAt),
    endedAt: timeIf(endedAt),
    retryAt: timeIf(retryAt),
    error: thrownOf(error),
  });
}

function waitOf({ reason, keys, startedAt, endedAt }: WaitSpan): z.infer<typeof Wait> {
  return omitUndefined({ reason, keys: keys.slice(0, LISTED), startedAt: timeOf(startedAt), endedAt: timeIf(endedAt) });
}

function callOf({ startedAt, endedAt, ...rest }: CallSpan): z.infer<typeof Call> {
  return omitUndefined({ ...rest, startedAt: timeOf(startedAt), endedAt: timeOf(endedAt) });
}

/** The error without its data, which may be large and is in the history. */
function thrownOf(error: RecordedError | undefined): z.infer<typeof Thrown> | undefined {
  return error && omitUndefined({ name: error.name, message: error.message, code: error.code, stack: error.stack });
}

function timeIf(at: number | undefined): string | undefined {
  return at === undefined ? undefined : timeOf(at);
}
