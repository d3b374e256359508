/**
 * Describes signals: values that somebody outside sends to a task by a name. A signal is recorded when it comes. The wait of its name takes
 * it, at once or later, so a signal is neither lost before its wait begins nor taken twice.
 */
import type { Json, JsonObject } from './json.js';

/** Signals that a task keeps until its waits take them. */
export const MAX_KEPT_SIGNALS = 100;
/** JSON of the value of one signal, bytes. */
export const MAX_SIGNAL_BYTES = 256 * 1024;
/** JSON of the values of all signals that a task keeps, bytes. */
export const MAX_KEPT_SIGNAL_BYTES = 4 * 1024 * 1024;
/** Ids of deliveries that a task remembers, the latest ones. */
const MAX_SIGNAL_IDS = 100;

/** A signal that no wait has taken yet. */
export interface KeptSignal {
  /** 1 for the first signal of the task. */
  readonly seq: number;
  readonly name: string;
  readonly value: Json;
  /** JSON of the value, bytes. */
  readonly bytes: number;
  /** The way in which it came. */
  readonly via: string;
}

/** What a task knows of its signals. */
export interface Signals {
  /** How many have come. */
  readonly sent: number;
  /** In order of arrival. */
  readonly kept: readonly KeptSignal[];
  /** Digests of the ids of the latest deliveries: a repeated one is known by them. */
  readonly ids: readonly string[];
}

/** No signal has come. */
export const noSignals: Signals = { sent: 0, kept: [], ids: [] };

/** What of a value does not fit a schema. */
export interface Misfit {
  /** Such as `amount`, or empty for the whole value. */
  readonly field: string;
  /** One sentence. */
  readonly message: string;
}

/** Compares a value with the schema of a wait. */
export type MisfitOf = (schema: JsonObject, value: Json) => Misfit | undefined;

/** The signals with one more. */
export function withSent({ kept, ids }: Signals, signal: KeptSignal, id: string | undefined): Signals {
  return { sent: signal.seq, kept: [...kept, signal], ids: id === undefined ? ids : [...ids, id].slice(-MAX_SIGNAL_IDS) };
}

/** The signals without the one that a wait has taken. */
export function withoutTaken(signals: Signals, taken: number): Signals {
  return { ...signals, kept: signals.kept.filter(({ seq }) => seq !== taken) };
}

/** The signals with one that its wait has given back: it keeps its turn. */
export function withGivenBack(signals: Signals, signal: KeptSignal): Signals {
  return { ...signals, kept: [...signals.kept, signal].sort((one, other) => one.seq - other.seq) };
}

/** Whether another signal with a value of so many bytes may be kept. */
export function hasRoomFor({ kept }: Signals, bytes: number): boolean {
  return kept.length < MAX_KEPT_SIGNALS && kept.reduce((sum, signal) => sum + signal.bytes, bytes) <= MAX_KEPT_SIGNAL_BYTES;
}
