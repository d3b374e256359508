/** Defines the one format of exported histories: what the API exports and imports, and `longhaul replay` reads. */
import { type ExportedHistory, FORMATS, LONGEST_MS, MAX_SEARCHABLE, type NumberedEvent } from '@longhaul/tasks';
import { z } from 'zod';
import { Time } from './common.js';

const FORMAT = 'longhaul-history';
const FORMAT_VERSION = FORMATS.exportedHistory;
/** The most events in a document. */
const MAX_EVENTS = 100_000;
/** How deep a document may be nested. The values that tasks record are nested less deeply, so every exported history fits. */
const MAX_DEPTH = 1_000;
/** The most mistakes that are reported of a document. */
const MAX_ISSUES = 5;

/** The last instant that a time on the wire can have: its year has four digits. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

const Json = z.record(z.string(), z.unknown());
const Key = z.object({ key: z.string() });
/** Of what is kept of an error's stack. */
const MAX_STACK_LENGTH = 8_192;
/** Epoch milliseconds. */
const Moment = z.number().min(0).max(LAST_MOMENT, { abort: true }).int();
/** Milliseconds. */
const Duration = z.int().min(0).max(LONGEST_MS);
const Stack = z.string().max(MAX_STACK_LENGTH).optional();
const Code = z.union([z.string(), z.number()]).optional();
const Recorded = z.looseObject({ name: z.string(), message: z.string(), code: Code, stack: Stack });
const Thrown = z.looseObject({ name: z.string(), code: Code, step: z.string().optional(), stack: Stack }).optional();
const Failure = z.looseObject({ code: z.int(), message: z.string() });
const Progress = z.looseObject({ progress: z.number(), total: z.number().optional(), message: z.string().optional() });
const Start = { startedAt: Moment, startedAfter: z.int() };
const MaybeStart = { startedAt: Moment.optional(), startedAfter: z.int().optional() };

/** A value that is kept apart from the record. */
const Large = z.looseObject({ id: z.string(), bytes: z.int().min(0), parts: z.int().min(1) });

const Bond = z.enum(['bound', 'left', 'detached']);
const ChildEnd = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('result'), result: Json, large: Large.optional() }),
  z.looseObject({ kind: z.literal('error'), error: Failure }),
  z.looseObject({ kind: z.literal('cancelled'), reason: z.string().optional() }),
  z.looseObject({ kind: z.literal('none'), code: z.string(), message: z.string() }),
]);
const Signal = z.looseObject({ seq: z.int().min(1), name: z.string(), value: z.unknown(), bytes: z.int().min(0), via: z.string() });

const Spent = z.looseObject({ cost: z.number().min(0).optional(), tokens: z.number().min(0).optional() });

const Created = z.looseObject({
  tool: z.string().min(1).max(256),
  arguments: Json,
  owner: z.string().min(1).max(1_024),
  recordOwner: z.looseObject({ id: z.string(), account: z.string().optional(), idleMs: Duration.optional() }).optional(),
  client: z.looseObject({
    generation: z.enum(['2025-11-25', '2026-07-28']),
    protocolVersion: z.string(),
    name: z.string().optional(),
    version: z.string().optional(),
    capabilities: Json,
  }),
  keptQuestions: z.array(z.string()).optional(),
  ttlMs: Duration,
  pollIntervalMs: Duration,
  maxRunMs: Duration.optional(),
  budget: Spent.optional(),
  priority: z.int().optional(),
  searchable: z.array(z.string().max(128)).max(MAX_SEARCHABLE).optional(),
  maxWaitMs: Duration.optional(),
  implicit: z.boolean().optional(),
  progressToken: z.union([z.string(), z.number()]).optional(),
  trace: z.string().optional(),
  traceState: z.string().optional(),
  baggage: z.string().optional(),
  webhooks: z.array(z.looseObject({ endpoint: z.string(), url: z.string().optional(), events: z.array(z.string()) })).optional(),
  forkedFrom: z
    .looseObject({
      taskId: z.string(),
      version: z.int(),
      firstTaskId: z.string(),
      stepKeysOf: z.string().optional(),
      recordedBy: z.array(z.string()).optional(),
      by: z.string().optional(),
    })
    .optional(),
  startedBy: z.string().optional(),
  refused: z.string().optional(),
  parent: z.looseObject({ taskId: z.string(), key: z.string(), bond: Bond, rootTaskId: z.string(), path: z.array(z.string()) }).optional(),
  imported: z.looseObject({ taskId: z.string(), stepKeysOf: z.string(), at: Moment, by: z.string() }).optional(),
});

/** The members of each type of event: operators are shown all of them. Unknown members are kept unchanged. */
const DATA = {
  TaskCreated: Created,
  PassStarted: z.looseObject({
    pass: z.int().min(1),
    epoch: z.int().min(1),
    workerId: z.string(),
    attempt: z.int().min(1),
    version: z.string().optional(),
    trial: z.enum(['together', 'alone']).optional(),
  }),
  StepStarted: Key.loose().extend({ attempt: z.int(), ...Start }),
  StepCompleted: Key.loose().extend({ large: Large.optional(), ...MaybeStart }),
  LargeValuesKept: z.looseObject({}),
  StepFailed: Key.loose().extend({ error: Recorded, attempt: z.int(), retryAt: Moment.optional(), ...MaybeStart }),
  InputRequested: Key.loose().extend({ method: z.string(), params: Json }),
  InputReceived: Key.loose().extend({
    answer: z.union([z.looseObject({ response: Json }), z.looseObject({ error: Failure })]),
    via: z.string(),
  }),
  AnswerRefused: Key.loose().extend({ reason: z.string(), via: z.string() }),
  TimerScheduled: Key.loose().extend({ dueAt: Moment }),
  TimerFired: Key.loose(),
  ChildStarted: Key.loose().extend({ taskId: z.string(), tool: z.string(), bond: Bond }),
  ChildDelayed: Key.loose().extend({ reason: z.string(), retryAt: Moment }),
  ChildCreated: Key.loose(),
  ChildDetached: Key.loose().extend({ taskId: z.string() }),
  ChildEnded: Key.loose().extend({ spent: Spent.optional(), outcome: ChildEnd, taskId: z.string().optional() }),
  SignalSent: Signal.extend({ id: z.string().optional() }),
  SignalAwaited: Key.loose().extend({ names: z.array(z.string()), dueAt: Moment.optional(), schema: Json.optional() }),
  SignalReceived: Key.loose().extend({ seq: z.int().min(1) }),
  WaitWithdrawn: Key.loose().extend({ reason: z.string() }),
  PassSuspended: z.looseObject({ pass: z.int(), waitingFor: z.array(z.string()) }),
  StatusReported: z.looseObject({ message: z.string(), seq: z.int() }),
  ProgressReported: Progress.extend({ seq: z.int() }),
  ValueExposed: z.looseObject({ value: z.unknown(), seq: z.int() }),
  SpendingReported: Spent.extend({ step: z.string().optional(), seq: z.int().optional() }),
  NotificationSent: z.looseObject({ method: z.string(), params: Json, seq: z.int() }),
  PassFailed: z.looseObject({ pass: z.int(), error: Recorded, attempt: z.int(), retryAt: Moment }),
  TaskContinued: z.looseObject({
    version: z.int().min(2),
    task: Created,
    createdAt: Moment,
    pass: z.int(),
    epoch: z.int(),
    statusMessage: z.string().optional(),
    progress: Progress.optional(),
    progressAt: z.int().optional(),
    exposed: z.looseObject({ value: z.unknown() }).optional(),
    spent: Spent.optional(),
    notifiedAt: z.int().optional(),
    detachedAt: Moment.optional(),
    signals: z.looseObject({ sent: z.int().min(0), kept: z.array(Signal), ids: z.array(z.string()) }).optional(),
  }),
  TaskDetached: z.looseObject({
    because: z.enum(['handed-over', 'abandoned', 'followed']),
    afterMs: z.number().min(0),
    reason: z.string().optional(),
    how: z.enum(['cancelled', 'closed']).optional(),
    client: z.string().optional(),
    continuedBy: z.string().optional(),
  }),
  TaskCompleted: z.looseObject({ result: Json, large: Large.optional() }),
  TaskFailed: z.looseObject({ error: Failure, thrown: Thrown }),
  TaskCancelled: z.looseObject({ by: z.string(), reason: z.string().optional() }),
} as const satisfies Record<NumberedEvent['type'], z.ZodType>;

const eventOf = <T extends keyof typeof DATA>(type: T) =>
  z.object({ version: z.int().min(1), type: z.literal(type), at: Time, data: DATA[type] });

const Event = z.discriminatedUnion('type', [
  eventOf('TaskCreated'),
  ...(Object.keys(DATA) as (keyof typeof DATA)[]).filter((type) => type !== 'TaskCreated').map(eventOf),
]);

/** A history as it is exported. */
export const HistoryDocument = z
  .object({
    format: z.literal(FORMAT),
    formatVersion: z.literal(FORMAT_VERSION, `only version ${FORMAT_VERSION} of the format is known`),
    taskId: z.string().min(1).max(64),
    tool: z.string(),
    owner: z.string(),
    createdAt: Time,
    events: z.array(Event).min(1).max(MAX_EVENTS),
  })
  .superRefine(({ events: [first], ...head }, context) => {
    const data = first?.type === 'TaskContinued' ? first.data['task'] : first?.type === 'TaskCreated' ? first.data : undefined;
    const begun = data as z.infer<typeof Created> | undefined;
    for (const name of ['tool', 'owner'] as const)
      if (begun !== undefined && begun[name] !== head[name])
        context.addIssue({ code: 'custom', path: [name], message: `is not that of the first event, ${JSON.stringify(begun[name])}` });
  })
  .meta({ id: 'ExportedHistory' });

/** The first part of a document. */
export type HistoryHead = Omit<z.infer<typeof HistoryDocument>, 'events' | 'format' | 'formatVersion'>;

/** The text of a document: one event on each line, so that a history may be larger than the part in memory. */
export async function* historyText(head: HistoryHead, events: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION, ...head }).slice(0, -1)},"events":[`;
  let separator = '\n';
  for await (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The history of a document. */
export function historyOf({ taskId, events }: z.infer<typeof HistoryDocument>): ExportedHistory {
  return { taskId, events: events.map(({ at, ...event }) => ({ ...event, at: Date.parse(at) }) as unknown as NumberedEvent) };
}

/** What is wrong with a document that is nested so deeply that reading it would use up the stack; undefined if it is not. */
export function depthProblem(document: unknown): string | undefined {
  let level: unknown[] = [document];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `it is nested deeper than ${MAX_DEPTH} levels`;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return undefined;
}

/** Reads a document from elsewhere. @returns its mistakes, by field, if there are any */
export function readHistoryDocument(
  value: unknown,
): { readonly history: ExportedHistory & { readonly tool: string } } | { readonly problem: string } {
  const tooDeep = depthProblem(value);
  if (tooDeep !== undefined) return { problem: tooDeep };
  const parsed = HistoryDocument.safeParse(value);
  if (parsed.success) return { history: { tool: parsed.data.tool, ...historyOf(parsed.data) } };
  return {
    problem: parsed.error.issues
      .slice(0, MAX_ISSUES)
      .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
      .join('; '),
  };
}
