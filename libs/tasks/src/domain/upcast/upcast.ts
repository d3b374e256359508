/**
 * Makes today's events of those that earlier versions have stored. What is stored is never rewritten: a shape that is no more in
 * `events.ts` gets an entry here, together with a recorded history that has it (`test/fixtures/event-shapes`), and the rest of the
 * code knows today's shapes only. Until now nothing but optional members was added, so there is no entry yet.
 */
import type { TaskEvent } from '../events.js';
import type { JsonObject } from '../json.js';

/** An event as some version has stored it. */
export interface RecordedEvent {
  readonly type: string;
  readonly at: number;
  readonly data: JsonObject;
}

/** What an old shape is today, by the type under which it is stored; a shape of today stays as it is. */
const UPCASTS: Readonly<Record<string, (recorded: RecordedEvent) => RecordedEvent>> = {};

/** The event in its shape of today. Costs the same however many versions there were. */
export function upcast(recorded: RecordedEvent): TaskEvent {
  return (UPCASTS[recorded.type]?.(recorded) ?? recorded) as unknown as TaskEvent;
}
