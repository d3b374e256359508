/**
 * Decides how long a plain call waits for its task before it is handed over. A client whose limit is known is answered well before it. A
 * call is not handed over for long if its client has no limit, or if progress extends that and signs of life are sent.
 */
import type { KnownClient } from './known-clients.js';

/** The part of a client's limit that a call waits: the rest is for the way of the answer, and for clocks. */
const PART = 3 / 4;

/** What is known of a plain call. */
export interface WaitingCall {
  /** Nothing, if the client is not known. */
  readonly client: KnownClient | undefined;
  /** Whether it asks for progress. */
  readonly asksForProgress: boolean;
  /** The time that its tool states, milliseconds. */
  readonly handOverAfterMs?: number | undefined;
}

/** The settings of a deployment, milliseconds. */
export interface WaitSettings {
  /** For clients whose limit is not known. */
  readonly syncWaitMs: number;
  /** No call waits longer. */
  readonly longestWaitMs: number;
  /** 0 if no signs of life are sent. */
  readonly signOfLifeMs: number;
}

/** How long the call waits, milliseconds. */
export function waitMsOf({ client, asksForProgress, handOverAfterMs }: WaitingCall, settings: WaitSettings): number {
  const { syncWaitMs, longestWaitMs, signOfLifeMs } = settings;
  const isExtended = client?.progressExtends === true && asksForProgress && signOfLifeMs > 0 && signOfLifeMs < (client.limitMs ?? Infinity);
  const limitMs = isExtended ? (client.longestMs ?? null) : client?.limitMs;
  if (limitMs === undefined) return Math.min(handOverAfterMs ?? syncWaitMs, longestWaitMs);
  const safeMs = limitMs === null ? longestWaitMs : Math.floor(limitMs * PART);
  return Math.min(handOverAfterMs ?? longestWaitMs, safeMs, longestWaitMs);
}
