/** Defines the records of the tasks that a task starts, in words that are stored for ever. */
import { hashOf } from './hash.js';
import type { Json, JsonObject } from './json.js';
import type { LargeValue } from './large-value.js';
import type { Spending } from './spending.js';

/**
 * What becomes of a child when its parent ends before it: it is cancelled (`bound`), or continues (`left`). A `detached` child continues as
 * well, and its parent does not wait for it.
 */
export type ChildBond = 'bound' | 'left' | 'detached';

/** The task that has started another one. In the first event of that one. */
export interface ParentLink {
  readonly taskId: string;
  /** Key of the parent's operation. */
  readonly key: string;
  readonly bond: ChildBond;
  /** The task at the top of the tree. */
  readonly rootTaskId: string;
  /** The parent shows the child's progress as its own. */
  readonly showsProgress?: true;
  /** The tools of the tasks above it, from the top of the tree down to the parent. */
  readonly path: readonly string[];
}

/** A child that was not created, or whose result cannot be had: the code of a `TaskError`, and its message. */
export interface NoOutcome {
  readonly kind: 'none';
  readonly code: string;
  readonly message: string;
}

/** How a child ended, for its parent. */
export type ChildOutcome =
  | { readonly kind: 'result'; readonly result: JsonObject; readonly large?: LargeValue }
  | { readonly kind: 'error'; readonly error: { readonly code: number; readonly message: string; readonly data?: Json } }
  | { readonly kind: 'cancelled'; readonly reason?: string }
  | NoOutcome;

/**
 * How long a suspended pass waits for more of its children after one has ended: until at most `open` are unfinished, and at most `ms`
 * milliseconds. What else it waits for continues it at once.
 */
export interface Patience {
  readonly open: number;
  readonly ms: number;
}

/** The data of the events of children. */
export interface ChildEventData {
  /** The parent has asked for a child. Only this child has the id, so it is created once. */
  readonly ChildStarted: { readonly key: string; readonly taskId: string; readonly tool: string; readonly bond: ChildBond };
  /** It could not be created now: its owner has too many tasks, or another task has its idempotency key and has not ended. */
  readonly ChildDelayed: { readonly key: string; readonly reason: string; readonly retryAt: number };
  /** It exists, and its parent waits for it. */
  readonly ChildCreated: { readonly key: string };
  /** It exists, and its parent does not wait for it. */
  readonly ChildDetached: { readonly key: string; readonly taskId: string };
  /**
   * It has ended, or was not created. `taskId` is that of a task of somebody else that has the same idempotency key. `spent` is what it has
   * spent, with the tasks that it has called.
   */
  readonly ChildEnded: { readonly key: string; readonly outcome: ChildOutcome; readonly taskId?: string; readonly spent?: Spending };
}

/** What is recorded of a child's operation. */
export type ChildRecord = {
  readonly kind: 'child';
  readonly taskId: string;
  readonly tool: string;
  readonly bond: ChildBond;
  /** When its parent has asked for it, epoch milliseconds. */
  readonly startedAt: number;
} & (
  | { readonly status: 'starting'; readonly dueAt: number }
  | { readonly status: 'created' | 'detached' }
  | {
      readonly status: 'ended';
      readonly outcome: ChildOutcome;
      /** What it has spent, with the tasks that it has called. */
      readonly spent?: Spending;
      /** When its parent recorded that, epoch milliseconds. */
      readonly endedAt: number;
    }
);

/** Whether the outcome is the result that the parent wanted. */
export function isSuccess(outcome: ChildOutcome): boolean {
  return outcome.kind === 'result' && outcome.result['isError'] !== true;
}

/** The beginning of the keys of questions that a task asks for its children. */
const ASKED_FOR = '$asked/';

/** Longer keys of calls are named by a hash: questions are passed up several levels, and clients send their keys back. */
const MAX_SEGMENT_LENGTH = 32;

/** The key under which a parent asks a question of its child. */
export function relayedKey(childKey: string, inputKey: string): string {
  return `${ASKED_FOR}${segmentOf(childKey)}/${inputKey}`;
}

/** The question of a child that a key of its parent stands for; nothing for a question of the task itself. */
export function relayedFrom(key: string): { readonly isOf: (childKey: string) => boolean; readonly inputKey: string } | undefined {
  if (!key.startsWith(ASKED_FOR)) return undefined;
  const end = key.indexOf('/', ASKED_FOR.length);
  if (end < 0) return undefined;
  const segment = key.slice(ASKED_FOR.length, end);
  return { isOf: (childKey) => segmentOf(childKey) === segment, inputKey: key.slice(end + 1) };
}

function segmentOf(childKey: string): string {
  const segment = encodeURIComponent(childKey.toWellFormed());
  return segment.length <= MAX_SEGMENT_LENGTH ? segment : `~${hashOf(childKey)}`;
}
