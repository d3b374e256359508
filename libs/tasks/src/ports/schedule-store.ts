/**
 * Defines where schedules are kept. A schedule is a stream of events, of which the latest are kept, with the state that is the fold of all,
 * and the date at which a worker must look at it next. Event, state and date are written together, or not at all.
 *
 * A worker that takes a due schedule has it for the time of a lease. That only keeps others from doing the same work: what makes a decision
 * the only one is the expected version of an append. Dates are by the store's clock, never by the clock of a process.
 */
import type { JsonObject } from '../domain/json.js';
import type { Milliseconds } from '../domain/milliseconds.js';
import type { ScheduleEvent } from '../domain/schedules/schedule-events.js';
import type { ScheduleState } from '../domain/schedules/schedule-state.js';

/** A schedule as it is read. */
export interface KeptSchedule {
  /** The number of its last event. */
  readonly version: number;
  readonly state: ScheduleState;
  readonly arguments: JsonObject;
}

/** An event of the history. */
export interface KeptScheduleEvent {
  readonly version: number;
  readonly event: ScheduleEvent;
}

/** How many schedules there may be. */
export interface ScheduleLimits {
  readonly all: number;
  /** Of the owners of one tenant. */
  readonly ofTenant: number;
}

/** Events that were decided on a state. */
export interface ScheduleAppend {
  /** 0 if the schedule must be new. */
  readonly expectedVersion: number;
  readonly events: readonly ScheduleEvent[];
  /** The state after them. */
  readonly state: ScheduleState;
  /** Absent if they stay as they are. */
  readonly arguments?: JsonObject;
  /** When a worker must look at it next, epoch milliseconds; absent if nothing will come. */
  readonly lookAt?: number | undefined;
  /** Checked for a schedule that is new, and for one that gets an owner of another tenant. */
  readonly limits: ScheduleLimits;
  /** So many of the latest events are kept. */
  readonly keepEvents: number;
}

/** What became of an append. */
export type ScheduleAppended = 'appended' | 'conflict' | 'too-many' | 'too-many-of-tenant';

/** Some schedules, in the order of their names. */
export interface SchedulePage {
  readonly schedules: readonly ScheduleState[];
  /** The last name, if there are more. */
  readonly next?: string;
}

/** Schedules that are due, which this process has taken. */
export interface TakenSchedules {
  readonly names: readonly string[];
  /** The store's clock, epoch milliseconds. */
  readonly now: number;
}

/**
 * Every method rejects with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached, and those that read arguments or events with
 * the errors of the codec.
 */
export interface ScheduleStore {
  /** The store's clock, epoch milliseconds. */
  now(): Promise<number>;
  read(name: string): Promise<KeptSchedule | undefined>;
  append(request: ScheduleAppend): Promise<ScheduleAppended>;
  /** Gives the schedule its next date, or none, if nothing was appended since that version. */
  postpone(name: string, version: number, lookAt: number | undefined): Promise<void>;
  /** Removes the schedule with its history. @returns false if something was appended since that version */
  remove(name: string, version: number): Promise<boolean>;
  /** Its latest events, the latest first. */
  history(name: string, limit: number): Promise<readonly KeptScheduleEvent[]>;
  /** @param after the last name of the page before */
  list(limit: number, after?: string): Promise<SchedulePage>;
  count(): Promise<number>;
  /** Takes up to `limit` schedules that are due, the oldest ones, for `leaseMs`; they are due again after that. */
  take(limit: number, leaseMs: Milliseconds): Promise<TakenSchedules>;
}
