/** The one format of exported histories, version 1: what the API exports and imports, and `longhaul replay` reads. */
import type { ExportedHistory, NumberedEvent } from '@longhaul/tasks';
import { z } from 'zod';
import { Time } from './common.js';

const FORMAT = 'longhaul-history';
const FORMAT_VERSION = 1;
/** What is said of a document that is wrong everywhere. */
const MAX_ISSUES = 5;

const Json = z.record(z.string(), z.unknown());
const Key = z.object({ key: z.string() });
const Recorded = z.looseObject({ name: z.string(), message: z.string() });

const Created = z.looseObject({
  tool: z.string().min(1).max(256),
  arguments: Json,
  owner: z.string().min(1).max(1_024),
  client: z.looseObject({ generation: z.enum(['2025-11-25', '2026-07-28']), protocolVersion: z.string(), capabilities: Json }),
  ttlMs: z.number().min(0),
  pollIntervalMs: z.number().min(0),
});

/** What each type of event has at least; other members are kept as they are. */
const DATA = {
  TaskCreated: Created,
  PassStarted: z.looseObject({ pass: z.int().min(1), epoch: z.int().min(1), workerId: z.string(), attempt: z.int().min(1) }),
  StepStarted: Key.loose().extend({ attempt: z.int(), startedAt: z.number(), startedAfter: z.int() }),
  StepCompleted: Key.loose(),
  StepFailed: Key.loose().extend({ error: Recorded, attempt: z.int() }),
  InputRequested: Key.loose().extend({ method: z.string(), params: Json }),
  InputReceived: Key.loose().extend({
    answer: z.union([
      z.looseObject({ response: Json }),
      z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) }),
    ]),
    via: z.string(),
  }),
  TimerScheduled: Key.loose().extend({ dueAt: z.number() }),
  TimerFired: Key.loose(),
  PassSuspended: z.looseObject({ pass: z.int(), waitingFor: z.array(z.string()) }),
  StatusReported: z.looseObject({ message: z.string(), seq: z.int() }),
  ProgressReported: z.looseObject({ progress: z.number(), seq: z.int() }),
  NotificationSent: z.looseObject({ method: z.string(), params: Json, seq: z.int() }),
  PassFailed: z.looseObject({ pass: z.int(), error: Recorded, attempt: z.int(), retryAt: z.number() }),
  TaskContinued: z.looseObject({ version: z.int().min(2), task: Created, createdAt: z.number(), pass: z.int(), epoch: z.int() }),
  TaskCompleted: z.looseObject({ result: Json }),
  TaskFailed: z.looseObject({ error: z.looseObject({ code: z.number(), message: z.string() }) }),
  TaskCancelled: z.looseObject({ by: z.string() }),
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
    events: z.array(Event).min(1).max(100_000),
  })
  .meta({ id: 'ExportedHistory' });

/** What a document begins with. */
export type HistoryHead = Omit<z.infer<typeof HistoryDocument>, 'events' | 'format' | 'formatVersion'>;

/** The text of a document: one event on each line, so that a history may be larger than what is held of it at once. */
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

/** Reads a document that came from elsewhere. @returns what is wrong with it, by field, if anything is */
export function readHistoryDocument(
  value: unknown,
): { readonly history: ExportedHistory & { readonly tool: string } } | { readonly problem: string } {
  const parsed = HistoryDocument.safeParse(value);
  if (parsed.success) return { history: { tool: parsed.data.tool, ...historyOf(parsed.data) } };
  return {
    problem: parsed.error.issues
      .slice(0, MAX_ISSUES)
      .map(({ path, message }) => `${path.join('.') || 'it'}: ${message}`)
      .join('; '),
  };
}
