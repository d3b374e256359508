/**
 * Keeps conversations of an owner, so that a later run continues them, from any client.
 *
 * One run at a time works on a thread. It holds the thread from `open` to `close`; another run that opens it in the meantime is refused, so the
 * messages of two runs never mix. Messages are numbered from 1, and a run writes each of its messages by its number. So an operation that
 * is repeated after a crash writes the same messages again, and adds none. A thread that is let go has a result for each call and an answer
 * for each question, so a model can be given it.
 */
import { type Decision, type OwnerCollection, type OwnerCollections, type Records, TaskError } from '@longhaul/tasks';
import { appendedIn, closedIn, releasedIn, removal, removalOfOldest } from './close-thread.js';
import { openedIn } from './open-thread.js';
import { ThreadError } from './thread-error.js';
import { existing, messagesIn, recordOf, requireFree, threadsIn } from './thread-reads.js';
import { DEFAULT_THREADS_BYTES, THREAD_LIMITS, THREADS, type ThreadRecord } from './thread-records.js';
import type { NumberedMessage, OpenedThread, ThreadAppend, ThreadRequest, ThreadRun, ThreadSummary } from './thread.js';

/** Every method rejects as `OwnerCollection` does, and with {@link ThreadError}. */
export interface Threads {
  /**
   * Begins a run: holds the thread and adds the question. The same run gets the same thread again, without what it had added.
   *
   * @throws ThreadError; TaskError `OWNER_FULL` when there is no room for the question
   */
  open(request: ThreadRequest): Promise<OpenedThread>;
  /** Writes messages by their numbers. @returns false when the run does not hold the thread any more: nothing is written then */
  append(thread: string, run: ThreadRun, append: ThreadAppend): Promise<boolean>;
  /**
   * Ends a run: writes its last messages, answers what has no answer, and lets the thread go.
   *
   * @param why what stands for a missing answer; undefined takes the whole question back
   * @returns the number of messages; undefined when the run does not hold the thread any more
   */
  close(thread: string, run: ThreadRun, last: ThreadAppend | undefined, why: string | undefined): Promise<number | undefined>;
  /** Extends the hold of a run, if it holds a thread. */
  renew(run: ThreadRun): Promise<void>;
  /** Ends the run whose process cannot: what is known of it stays in its thread, if it holds one. */
  letGo(by: string, why: string): Promise<void>;
  /** The latest first. */
  list(now: number): Promise<readonly ThreadSummary[]>;
  /** @throws ThreadError `THREAD_NOT_FOUND` */
  read(thread: string, from?: number, limit?: number): Promise<readonly NumberedMessage[]>;
  /** @returns whether there was one. @throws ThreadError `THREAD_BUSY` */
  remove(thread: string, now: number): Promise<boolean>;
}

/** The threads of an owner. @param maxBytes of all of them. @defaultValue 16 MiB */
export function createThreads(owner: OwnerCollections, maxBytes = DEFAULT_THREADS_BYTES): Threads {
  return new OwnedThreads(owner.collection(THREADS, { maxBytes, setting: 'LONGHAUL_AGENT_THREADS_MAX_BYTES' }));
}

class OwnedThreads implements Threads {
  constructor(private readonly collection: OwnerCollection) {}

  async open(request: ThreadRequest): Promise<OpenedThread> {
    for (;;) {
      const opened = await this.update(request.thread, (records) => openedIn(records, request));
      if (opened !== 'too many') return opened;
      if (!(await this.makeRoom(request.thread)))
        throw new ThreadError('THREAD_FULL', `There are ${THREAD_LIMITS.threads} threads, which is the most: remove some.`);
    }
  }

  append(thread: string, run: ThreadRun, append: ThreadAppend): Promise<boolean> {
    return this.update(thread, (records) => appendedIn(records, thread, run, append));
  }

  async close(thread: string, run: ThreadRun, last: ThreadAppend | undefined, why: string | undefined): Promise<number | undefined> {
    try {
      return await this.update(thread, (records) => closedIn(records, thread, { run, last, why }));
    } catch (error) {
      // A thread that has no room for an answer is let go as well. The next run finds it without one.
      if (!(error instanceof TaskError || error instanceof ThreadError)) throw error;
      await this.collection.update((records) => releasedIn(records, thread, run));
      throw error;
    }
  }

  renew(run: ThreadRun): Promise<void> {
    return this.collection.update((records) => {
      const thread = heldThread(records, run.by);
      const append = { number: 1, messages: [] };
      return { changes: thread === undefined ? [] : appendedIn(records, thread, run, append).changes, result: undefined };
    });
  }

  letGo(by: string, why: string): Promise<void> {
    const run = { by, now: Date.now(), leaseMs: 0 };
    return this.update(undefined, (records) => {
      const thread = heldThread(records, by);
      return { changes: thread === undefined ? [] : closedIn(records, thread, { run, last: undefined, why }).changes, result: undefined };
    });
  }

  list(now: number): Promise<readonly ThreadSummary[]> {
    return this.collection.read((records) => {
      const threads = threadsIn(records).map(([thread, record]) => summaryOf(thread, record, now));
      return threads.toSorted((one, other) => other.usedAt - one.usedAt);
    });
  }

  read(thread: string, from = 1, limit: number = THREAD_LIMITS.messages): Promise<readonly NumberedMessage[]> {
    return this.collection.read((records) => {
      const { messages } = existing(records, thread);
      return messagesIn(records, thread, Math.max(1, from), Math.min(messages, from + limit - 1));
    });
  }

  remove(thread: string, now: number): Promise<boolean> {
    return this.collection.update((records) => {
      const record = recordOf(records, thread);
      if (record === undefined) return { changes: [], result: false };
      requireFree(thread, record, now);
      return { changes: removal(thread, record), result: true };
    });
  }

  /** Makes room by threads that nobody has named, as long as there are such. */
  private async update<T>(spared: string | undefined, decide: (records: Records) => Decision<T>): Promise<T> {
    for (;;) {
      try {
        return await this.collection.update(decide);
      } catch (error) {
        if (!(error instanceof TaskError) || error.code !== 'OWNER_FULL' || !(await this.makeRoom(spared))) throw error;
      }
    }
  }

  private makeRoom(spared: string | undefined): Promise<boolean> {
    return this.collection.update((records) => removalOfOldest(records, spared));
  }
}

function heldThread(records: Records, by: string): string | undefined {
  return threadsIn(records).find(([, { hold }]) => hold?.by === by)?.[0];
}

function summaryOf(thread: string, { title, messages, createdAt, usedAt, hold, forkOf }: ThreadRecord, now: number): ThreadSummary {
  const isBusy = hold !== undefined && hold.until > now;
  return { thread, title, messages, createdAt, usedAt, isBusy, ...(forkOf !== undefined && { forkOf }) };
}
