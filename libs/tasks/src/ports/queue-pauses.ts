/**
 * Defines the pauses of operators: while tools are paused, none of their passes begins. Pauses are kept next to the queue, and workers act
 * on them. They set aside a job that they receive and may not begin (`JobVerdict.pausedBy`), so that it does not hold up others. They put
 * it back into the queue when its pause ended. A job that is set aside waits as before: it is in the queue, and nothing is counted against
 * it.
 */
import type { Unsubscribe } from './event-store.js';

/** The current pauses. */
export interface PausedWork {
  /** Passes of all tools. */
  readonly all: boolean;
  /** Tools that are paused by themselves, by name. */
  readonly tools: readonly string[];
}

/** No pause. */
export const NOTHING_PAUSED: PausedWork = { all: false, tools: [] };

/** Names a pause, for as long as jobs are set aside for it: stored, so never changed. */
export type PauseName = 'all' | `tool:${string}`;

const OF_TOOL = 'tool:';

/** @param tool absent for all tools */
export function pauseName(tool?: string): PauseName {
  return tool === undefined ? 'all' : `${OF_TOOL}${tool}`;
}

/** The pauses with these names. */
export function pausedWork(names: readonly string[]): PausedWork {
  const tools = names.filter((name) => name.startsWith(OF_TOOL)).map((name) => name.slice(OF_TOOL.length));
  return { all: names.includes('all'), tools: tools.toSorted() };
}

/** Pauses of one deployment. All methods reject with `TaskError` `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface QueuePauses {
  present(): Promise<PausedWork>;
  /** Begins a pause, which lasts until it is ended, also through restarts. Passes that run continue. @param tool absent for all tools */
  pause(tool?: string): Promise<void>;
  /** Ends it. */
  resume(tool?: string): Promise<void>;
  /** Calls `listener` after each change; it may miss some. */
  onChange(listener: () => void): Promise<Unsubscribe>;
  /**
   * Puts up to `limit` jobs of each queue back if their pause ended, in the order in which they were set aside for each pause. If that
   * fails in one queue, it rejects when it is done in the others.
   *
   * @returns how many; as many as `limit` or more when there may be more
   */
  putBack(limit: number): Promise<number>;
}
