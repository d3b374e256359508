/** Defines what runs and callers see of a thread. */
import type { Message } from '../conversation/messages.js';
import type { Compacted } from '../loop/compacted.js';

/** The run that works on a thread. */
export interface ThreadRun {
  /** Unique among all runs, and the same after a crash. */
  readonly by: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** How long the hold lasts without another operation of the run, milliseconds. */
  readonly leaseMs: number;
}

/** The thread that is opened. */
export interface ThreadRequest extends ThreadRun {
  /** A thread of this name is continued; otherwise it is begun. Without a name, a new one is made. */
  readonly thread?: string | undefined;
  /** Begin a new thread with what came before this question: `name@number`. */
  readonly fork?: string | undefined;
  readonly prompt: string;
}

/** A thread that a run holds. Plain JSON. */
export interface OpenedThread {
  readonly thread: string;
  /** The number of the question. */
  readonly number: number;
  /** The messages before the question that no summary stands for. */
  readonly messages: readonly Message[];
  /** The summary of the messages before those. */
  readonly summary?: string;
  readonly density?: number;
}

/** The messages that a run adds. */
export interface ThreadAppend {
  /** The number of the first one. */
  readonly number: number;
  readonly messages: readonly Message[];
  /** By the numbers of the thread. */
  readonly compacted?: Compacted | undefined;
  readonly density?: number | undefined;
}

/** A thread in a list. */
export interface ThreadSummary {
  readonly thread: string;
  readonly title: string;
  readonly messages: number;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly isBusy: boolean;
  readonly forkOf?: string;
}

/** A message of a thread, with its number. */
export interface NumberedMessage {
  readonly number: number;
  readonly message: Message;
}
