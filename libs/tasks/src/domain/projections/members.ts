/**
 * Defines, in tables, the members of the data that is kept of a task in addition to its events. Each member says how it follows from a
 * state, how a restored state says the same again, and how it is kept. So no member is written without being restored, and no member is
 * kept in plain by oversight.
 */
import type { TaskCreatedData } from '../events.js';
import type { Json, JsonObject } from '../json.js';
import type { MutableOperations } from '../operations.js';
import type { TaskState } from '../state.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A state that is made of the kept data. */
export type RestoredState = Mutable<Omit<TaskState, 'task' | 'operations' | 'pendingInputs' | 'openChildren'>> & {
  readonly task: Mutable<TaskCreatedData>;
  readonly operations: MutableOperations;
  readonly pendingInputs: Set<string>;
  readonly openChildren: Set<string>;
};

/** `sealed`: encrypted where payloads are, because callers, tools or models may have said it. Its parts, where some are and others are not. */
export type AtRest = 'plain' | 'sealed' | Readonly<Record<string, 'plain' | 'sealed'>>;

/** One member of `Whole`. */
export interface Member<Whole, Value> {
  /** Its value in a state; nothing if it is left out. */
  readonly of: (state: TaskState) => Value | undefined;
  /** Restores it in a state. Members are taken in the order of their table. */
  readonly into: (draft: RestoredState, value: Value, whole: Whole) => void;
  readonly atRest: AtRest;
}

/** All members of `Whole`. */
export type Members<Whole> = { readonly [K in keyof Required<Whole>]: Member<Whole, Exclude<Whole[K], undefined>> };

/** Of a member that another one restores, or that says nothing of a state that may continue. */
export function unchanged(): void {}

/** The values of the members in a state. */
export function projected<Whole extends object>(members: Members<Whole>, state: TaskState): Whole {
  const whole: Record<string, unknown> = {};
  for (const [name, { of }] of entriesOf(members)) {
    const value = of(state);
    if (value !== undefined) whole[name] = value;
  }
  return whole as Whole;
}

/** Restores the values of the members in a state. */
export function restored<Whole extends object>(members: Members<Whole>, draft: RestoredState, whole: Whole): void {
  for (const [name, { into }] of entriesOf(members)) {
    const value: unknown = whole[name as keyof Whole];
    if (value !== undefined) into(draft, value, whole);
  }
}

/** Those members that only a later version knows. Each view that is restored is asked. */
export function unknownIn(members: object, whole: object): JsonObject | undefined {
  let unknown: Record<string, Json> | undefined;
  for (const name of Object.keys(whole)) {
    if (name in members) continue;
    unknown ??= {};
    unknown[name] = (whole as JsonObject)[name] as Json;
  }
  return unknown;
}

function entriesOf<Whole>(members: Members<Whole>): readonly [string, Member<Whole, unknown>][] {
  let entries = ENTRIES.get(members);
  if (entries === undefined) ENTRIES.set(members, (entries = Object.entries(members)));
  return entries as readonly [string, Member<Whole, unknown>][];
}

/** A view is made with each append. */
const ENTRIES = new WeakMap<object, readonly [string, unknown][]>();
