/**
 * Decides what a client means that stops waiting for a plain call. Most clients have a limit of their own and give up when it is reached;
 * the work is still wanted then, and the task continues. A person who stops a call wants it to end. Both arrive as the same message or as a
 * closed connection, so this judges by what the client says, then by the time that has passed, and then by what it had received. If nothing
 * speaks for a limit, the call was stopped.
 */
import type { AbandonedHow, ContinuedBy } from '@longhaul/tasks';
import type { KnownClient } from './known-clients.js';

/** How a client stopped waiting. */
export interface AbandonedCall {
  readonly how: AbandonedHow;
  /** As the client gave it. */
  readonly reason?: string | undefined;
  /** How long after the call, milliseconds. */
  readonly afterMs: number;
  /** Whether the response was an event stream by then. */
  readonly hasStreamed: boolean;
  /** Whether the task had left an earlier call: a connection that breaks at once must not end work that had gone on without any. */
  readonly hadLeft?: boolean;
}

/** What else decides. */
export interface Judgement {
  /** Nothing, if the client is not known. */
  readonly client: KnownClient | undefined;
  readonly setting: OnAbandoned;
  /** What the tool states. */
  readonly tool?: Exclude<OnAbandoned, 'auto'> | undefined;
}

/** What becomes of the task of an abandoned call; `auto`: that is judged. */
export const ON_ABANDONED = ['auto', 'continue', 'cancel'] as const;
export type OnAbandoned = (typeof ON_ABANDONED)[number];

/** What says that a limit was reached, in the words of the SDKs and of others. */
const TIMED_OUT = /time[ds]?[ -]?out|deadline/i;
/** What says that a person, or a program for a person, has stopped the call. */
const STOPPED = /cancel|\bstop|interrupt|\buser\b/i;

/** The limits that clients and SDKs commonly have, milliseconds. */
const COMMON_LIMITS_MS: readonly number[] = [5_000, 10_000, 20_000, 30_000, 60_000, 120_000, 180_000, 300_000, 600_000];
const COMMON_TOLERANCE_MS = 500;
/** The tolerance for a limit that is known of a client: what its messages take, and its timers. */
const TOLERANCE_MS = 1_000;
const TOLERANCE_PART = 0.02;

/** @returns what decides that the task continues; nothing if it ends with its call */
export function continuedBy(call: AbandonedCall, { client, setting, tool }: Judgement): ContinuedBy | undefined {
  if (tool !== undefined) return tool === 'continue' ? 'tool' : undefined;
  if (setting !== 'auto') return setting === 'continue' ? 'setting' : undefined;
  const said = meaningOf(call.reason, client);
  if (said !== undefined) return said === 'timed out' ? 'reason' : undefined;
  if (isLimit(call.afterMs, client)) return 'time';
  return call.how === 'closed' && (call.hasStreamed || call.hadLeft === true) ? 'stream' : undefined;
}

function meaningOf(reason: string | undefined, client: KnownClient | undefined): 'timed out' | 'stopped' | undefined {
  if (reason === undefined) return undefined;
  const says = (texts: readonly string[] = []): boolean => texts.some((text) => reason.toLowerCase().includes(text.toLowerCase()));
  if (says(client?.stopped)) return 'stopped';
  if (says(client?.timedOut) || TIMED_OUT.test(reason)) return 'timed out';
  // "Aborted" is what some say in both cases: the time decides.
  return STOPPED.test(reason) ? 'stopped' : undefined;
}

/** Whether clients give up by themselves after this time. A client that is known for having no limit does not. */
function isLimit(afterMs: number, client: KnownClient | undefined): boolean {
  const { limitMs, longestMs } = client ?? {};
  if (limitMs === undefined) return COMMON_LIMITS_MS.some((limit) => Math.abs(afterMs - limit) <= COMMON_TOLERANCE_MS);
  const own = [limitMs, longestMs].filter((limit) => typeof limit === 'number');
  return own.some((limit) => Math.abs(afterMs - limit) <= Math.max(TOLERANCE_MS, limit * TOLERANCE_PART));
}
