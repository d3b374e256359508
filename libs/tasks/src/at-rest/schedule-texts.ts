/** Passes what adapters keep of a schedule through the codec: its arguments and its events. Its state has nothing that must be sealed. */
import type { JsonObject } from '../domain/json.js';
import type { ScheduleEvent } from '../domain/schedules/schedule-events.js';
import type { ScheduleState } from '../domain/schedules/schedule-state.js';
import type { PayloadCodec, Place } from '../ports/payload-codec.js';
import type { KeptSchedule, KeptScheduleEvent, ScheduleAppend } from '../ports/schedule-store.js';

/** The texts that one append keeps. */
export interface ScheduleTexts {
  readonly state: string;
  readonly arguments?: string;
  readonly events: readonly string[];
}

/** The kept form of an append. @throws the codec's errors */
export async function scheduleTexts(codec: PayloadCodec, request: ScheduleAppend): Promise<ScheduleTexts> {
  const { state, events, expectedVersion, arguments: args } = request;
  const seal = await codec.sealFor(state.definition.owner);
  return {
    state: JSON.stringify(state),
    ...(args !== undefined && { arguments: seal(JSON.stringify(args), placeOfArguments(state)) }),
    events: events.map((event, at) => seal(JSON.stringify(event), placeOfEvent(state.uid, expectedVersion + 1 + at))),
  };
}

/** @throws the codec's errors */
export async function scheduleFrom(codec: PayloadCodec, version: number, state: ScheduleState, args: string): Promise<KeptSchedule> {
  return { version, state, arguments: JSON.parse(await codec.open(args, placeOfArguments(state))) as JsonObject };
}

/** @throws the codec's errors */
export async function scheduleEventFrom(codec: PayloadCodec, uid: string, version: number, text: string): Promise<KeptScheduleEvent> {
  return { version, event: JSON.parse(await codec.open(text, placeOfEvent(uid, version))) as ScheduleEvent };
}

function placeOfArguments({ uid, revision }: ScheduleState): Place {
  return { kind: 'schedule', id: uid, field: 'arguments', version: revision };
}

function placeOfEvent(id: string, version: number): Place {
  return { kind: 'schedule', id, field: 'event', version };
}
