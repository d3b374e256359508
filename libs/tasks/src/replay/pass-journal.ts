/**
 * Appends what a running pass records, one batch after the other, under the pass's epoch.
 *
 * Between batches others append too (answers, cancellation). A conflict is therefore normal: the journal reads what came in between and
 * hands it to the pass. A store that does not answer, or has no room, is tried again for as long as the pass is alive. An append with a
 * lost acknowledgement is recognised by reading back, so nothing is recorded twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { accountsOf } from '../write/accounts.js';
import type { ClaimPass, PassCommand } from '../domain/commands.js';
import { decideAll } from '../domain/decide.js';
import type { TaskEvent } from '../domain/events.js';
import { largeBytesOf } from '../domain/large-value.js';
import { fold } from '../domain/evolve.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import { heldBytes } from '../history/held-bytes.js';
import type { HistoryShare } from '../history/history-room.js';
import type { RecentHistory } from '../history/recent-histories.js';
import type { LoadedHistory } from '../history/load-history.js';
import { project } from '../domain/projections/project.js';
import { storedBytes, type StoredEvent, toStored } from '../ports/stored-event.js';
import type { Commit, TaskWriter } from '../write/task-writer.js';

/** How many commands of a batch were appended, if it was not overtaken by events that the pass has to look at first; and the events. */
export type BatchResult = { readonly taken: number | undefined; readonly events: readonly TaskEvent[] };

/** The part of a batch that one append carries. */
interface Portion {
  readonly events: readonly TaskEvent[];
  readonly stored: readonly StoredEvent[];
  readonly bytes: number;
  readonly after: TaskState;
  /** How many commands that is. */
  readonly taken: number;
}

/** Others wrote before the claim was recorded: the pass must begin again from what the stream now says. */
export class ClaimOvertaken extends Error {
  override readonly name = 'ClaimOvertaken';
}

/** The batch does not fit into the task's history, or the present record does not fit into its worker or within its owner's limit. */
export class HistoryTooLarge extends Error {
  override readonly name = 'HistoryTooLarge';
}

/** With this batch, which is recorded, the tasks of the owner take more than they may. */
export class OwnerHistoryTooLarge extends Error {
  override readonly name = 'OwnerHistoryTooLarge';
}

/** The stream is shorter than what was read from it: a Redis that does not write to disk at once has restarted. */
class StreamTruncated extends Error {
  override readonly name = 'StreamTruncated';

  constructor(taskId: TaskId, version: number) {
    super(`Task ${taskId} was at version ${version}, and is not any more: Redis lost its latest writes. The pass begins again.`);
  }
}

/** Limit of an append with more than one event, bytes: a larger one holds up Redis for everybody. */
const MAX_APPEND_BYTES = 4 * 1024 * 1024;

/** A history that has grown by so much is noted in the index of its owner. */
const COUNTED_BYTES = 256 * 1024;

/** The size of events with at most this many bytes is not computed exactly. */
const SMALL_EVENTS_BYTES = 16 * 1024;

const RETRY_MS = { first: 50, most: 1_000 };

/** The writing side of one pass. */
export class PassJournal {
  /** The task as the pass sees it; includes the claim from the start. */
  state: TaskState;
  readonly epoch: number;
  /** When the store last confirmed that the pass still holds the task, epoch milliseconds. */
  confirmedAt: number;
  /** Whether the worker has room for what the history has grown by; otherwise the pass should leave it soon. */
  hasRoom = true;
  /** The error that the workflow threw at its end. */
  thrown: unknown;
  /** When the pass last recorded something, or else began, epoch milliseconds. */
  recordedAt: number;
  private base: TaskState;
  /** The last event of the record, once the pass has recorded something. */
  private last: TaskEvent | undefined;
  /** Where the history is held. */
  readonly place: HistoryShare;
  private claim: readonly TaskEvent[];
  /** The size of the history, without the events of others since it was loaded. */
  private bytes: number;
  /** The size that the index of the owner has noted, at least. */
  private countedBytes = 0;

  /**
   * The claim is decided here, but recorded with the first batch: a function that returns or waits at
   * once costs one append instead of two.
   *
   * @throws CommandRejected when the pass may not be claimed
   */
  constructor(
    private readonly writer: TaskWriter,
    readonly taskId: TaskId,
    { state: loaded, bytes, place }: LoadedHistory,
    claim: ClaimPass,
  ) {
    const { events, state } = decideAll([claim], loaded);
    this.base = loaded;
    this.bytes = bytes;
    this.place = place;
    this.confirmedAt = writer.now;
    this.recordedAt = this.confirmedAt;
    this.claim = events;
    this.state = state;
    this.epoch = state.epoch;
  }

  /** Runs the function of a step within what the observer of tasks puts around it, such as a trace. */
  runStep<T>(key: string, attempt: number, body: () => T): T {
    const { observer } = this.writer;
    if (observer === undefined) return body();
    return observer.runStep({ taskId: this.taskId, state: this.state, key, attempt }, body);
  }

  /** Whether the claim is recorded; before that no step may run, because no other process would know of it. */
  get isClaimed(): boolean {
    return this.claim.length === 0;
  }

  /**
   * Appends the events of the first of `commands`, as many as an append may carry, or none of them when others wrote since the last look.
   *
   * @throws CommandRejected when the task has ended, the epoch is no longer held, or a key is used twice
   * @throws ClaimOvertaken; HistoryTooLarge; the reason of `signal` once it aborts
   */
  async record(commands: readonly PassCommand[], signal: AbortSignal): Promise<BatchResult> {
    const { events, stored, bytes, after, taken } = this.portionOf(commands);
    if (events.length === 0) return { taken, events };
    const isNewRun = after.runSince !== this.base.runSince;
    const isLast = after.outcome !== undefined || isNewRun;
    const { maxHistoryBytes: maxBytes } = this.writer;
    for (let delay = RETRY_MS.first; ; delay = Math.min(delay * 2, RETRY_MS.most)) {
      signal.throwIfAborted();
      const askedAt = this.writer.now;
      try {
        // The claim itself is made under the epoch before it, and what ends the history must always fit.
        const options = { ...(this.isClaimed && { epoch: this.epoch }), ...(!isLast && { maxBytes }) };
        const result = await this.writer.commit({ ...this.reported(events, after), events: stored, ...options });
        if (result === 'too-large')
          throw new HistoryTooLarge(`The history of the task would have more than ${maxBytes} bytes (LONGHAUL_MAX_HISTORY_BYTES).`);
        if (result !== 'appended') return await this.readBack(events, taken, after, askedAt);
        this.advance(after, askedAt, events);
        this.recordedAt = askedAt;
        // With the large values: the function gets all of them.
        this.hasRoom = this.place.grow((bytes > SMALL_EVENTS_BYTES ? heldBytes(events) : bytes) + largeBytesOf(withoutEnd(events)));
        if (this.place.isTooLarge && !isLast)
          throw new HistoryTooLarge('The history of the task takes more memory than its worker has for one.');
        await this.count(isNewRun ? -this.bytes : bytes, isLast);
        return { taken, events };
      } catch (error) {
        if (!mayWorkLater(error)) throw error;
        await wait(delay, undefined, { signal, ref: false });
      }
    }
  }

  /** Notes the size of the history in the owner's index, whenever it is much larger than the noted one. */
  private async count(growth: number, isLast: boolean): Promise<void> {
    this.bytes += growth;
    if (Math.abs(growth < 0 ? growth : this.bytes - this.countedBytes) < COUNTED_BYTES) return;
    const { task } = this.state;
    const counted = await this.writer.countBytes(task === undefined ? [] : accountsOf(task), this.taskId, this.bytes);
    // The next one notes all of it.
    if (counted === undefined) return;
    this.countedBytes = this.bytes;
    if (counted.exceeded !== undefined && !isLast)
      throw new OwnerHistoryTooLarge(
        `The histories of all tasks of the owner or of its address take more than ${counted.exceeded} bytes (LONGHAUL_MAX_HISTORY_BYTES_PER_OWNER).`,
      );
  }

  /** The events of as many of the commands as fit into one append, at least of one, and the state after them. */
  private portionOf(commands: readonly PassCommand[]): Portion {
    const decided = decideAll(commands, this.state);
    const events = [...this.claim, ...decided.events];
    const stored = events.map((event) => toStored(event, this.epoch));
    const bytes = storedBytes(stored);
    if (bytes <= MAX_APPEND_BYTES || commands.length < 2) return { events, stored, bytes, after: decided.state, taken: commands.length };
    // This is rare: a batch hardly ever has more than one event this large.
    return this.portionOf(commands.slice(0, Math.ceil(commands.length / 2)));
  }

  /** Reads what others appended since the last batch; nothing before the claim is recorded. */
  async catchUp(): Promise<readonly TaskEvent[]> {
    if (!this.isClaimed) return [];
    const askedAt = this.writer.now;
    const events = await this.writer.readAfter(this.taskId, this.base.version);
    this.advance(fold(events, this.base), askedAt, events);
    return events;
  }

  private async readBack(ours: readonly TaskEvent[], taken: number, after: TaskState, askedAt: number): Promise<BatchResult> {
    const events = await this.writer.readAfter(this.taskId, this.base.version);
    const reported = this.reported(ours, after);
    if (events.length === 0) throw new StreamTruncated(this.taskId, this.base.version);
    const appended = isDeepStrictEqual(events.slice(0, ours.length), asRead(ours));
    if (!appended && !this.isClaimed) throw new ClaimOvertaken();
    this.advance(fold(events, this.base), askedAt, events);
    if (appended) this.recordedAt = askedAt;
    if (appended) this.writer.report(project(this.taskId, after).view, reported);
    return { taken: appended ? taken : undefined, events };
  }

  /** What is said of an append of these events. */
  private reported(decided: readonly TaskEvent[], after: TaskState): Omit<Commit, 'events'> {
    const { taskId, base: before, thrown } = this;
    return { taskId, before, decided, after, thrown };
  }

  /** The history as it is recorded; nothing before the pass has recorded something. */
  get recorded(): RecentHistory | undefined {
    const { base: state, bytes, last } = this;
    return last === undefined ? undefined : { state, bytes, last: asRead([last])[0] as TaskEvent };
  }

  private advance(state: TaskState, confirmedAt: number, events: readonly TaskEvent[]): void {
    this.last = events.at(-1) ?? this.last;
    this.confirmedAt = confirmedAt;
    this.claim = [];
    this.base = state;
    this.state = state;
  }
}

/** The result of the task is read by nobody here. */
function withoutEnd(events: readonly TaskEvent[]): readonly TaskEvent[] {
  return events.filter(({ type }) => type !== 'TaskCompleted');
}

function asRead(events: readonly TaskEvent[]): readonly unknown[] {
  return JSON.parse(JSON.stringify(events)) as readonly unknown[];
}

/** A store that is away comes back, and one that is full has room again. */
function mayWorkLater(error: unknown): boolean {
  return error instanceof TaskError && (error.code === 'STORE_UNAVAILABLE' || error.code === 'STORE_FULL');
}

/** Records the claim. @returns false when another process wrote first */
export async function isClaimRecorded(
  journal: { record(events: [], signal: AbortSignal): Promise<unknown> },
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await journal.record([], signal);
    return true;
  } catch (error) {
    if (error instanceof ClaimOvertaken) return false;
    throw error;
  }
}
