/**
 * Appends what a running pass records, one batch after the other, under the pass's epoch.
 *
 * Between batches others append too (answers, cancellation). A conflict is therefore normal: the
 * journal reads what came in between and hands it to the pass. A store that does not answer is tried
 * again for as long as the pass is alive; an append whose acknowledgement was lost is recognised by
 * reading back, so nothing is recorded twice.
 */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { PassCommand } from '../domain/commands.js';
import { decideAll } from '../domain/decide.js';
import type { TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { TaskWriter } from '../service/task-writer.js';

/** What a batch did: `appended`, or `overtaken` by events that the pass has to look at first. */
export type BatchResult = { readonly appended: boolean; readonly events: readonly TaskEvent[] };

const RETRY_MS = { first: 50, most: 1_000 };

/** The writing side of one pass. */
export class PassJournal {
  constructor(
    private readonly writer: TaskWriter,
    readonly taskId: TaskId,
    readonly epoch: number,
    /** The task as the journal knows it. */
    public state: TaskState,
  ) {}

  /**
   * Appends the events of `commands`, or none of them when others wrote meanwhile.
   *
   * @throws CommandRejected when the task has ended, the epoch is no longer held, or a key is used twice; the reason of `signal` once it aborts
   */
  async record(commands: readonly PassCommand[], signal: AbortSignal): Promise<BatchResult> {
    const { events, state: after } = decideAll(commands, this.state);
    if (events.length === 0) return { appended: true, events };
    for (let delay = RETRY_MS.first; ; delay = Math.min(delay * 2, RETRY_MS.most)) {
      signal.throwIfAborted();
      try {
        const commit = { taskId: this.taskId, before: this.state, events, after, epoch: this.epoch };
        if ((await this.writer.commit(commit)) === 'appended') {
          this.state = after;
          return { appended: true, events };
        }
        return await this.readBack(events);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        await wait(delay, undefined, { signal, ref: false });
      }
    }
  }

  /** Reads what others appended since. */
  async catchUp(): Promise<readonly TaskEvent[]> {
    const events = await this.writer.readAfter(this.taskId, this.state.version);
    this.state = fold(events, this.state);
    return events;
  }

  private async readBack(ours: readonly TaskEvent[]): Promise<BatchResult> {
    const events = await this.catchUp();
    const appended = isDeepStrictEqual(events.slice(0, ours.length), asRead(ours));
    return { appended, events };
  }
}

function asRead(events: readonly TaskEvent[]): unknown {
  return JSON.parse(JSON.stringify(events));
}

function isUnavailable(error: unknown): boolean {
  return error instanceof TaskError && error.code === 'STORE_UNAVAILABLE';
}
