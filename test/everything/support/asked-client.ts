import type { Result, Root } from '@modelcontextprotocol/sdk/types.js';

/** What a client answers; a function may throw. */
export interface Answers {
  readonly elicit?: () => Result;
  readonly sample?: () => Result;
  readonly roots?: readonly Root[];
}

/** A request or a notification of the server. */
export interface Message {
  readonly method: string;
  readonly params: unknown;
}

/** What came of one probe, before it is normalised. */
export interface Recorded {
  readonly asked: readonly Message[];
  readonly notified: readonly Message[];
}

/** A client that probes ask through, and that records what comes beside the answers. */
export interface AskedClient {
  answers: Answers;
  /** The names of the tools that have been called. */
  readonly called: ReadonlySet<unknown>;
  /** Sends a request as it is; a call of a tool asks for progress. */
  request(method: string, params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** What has come since the last `forget`. */
  recorded(): Recorded;
  forget(): void;
  close(): Promise<void>;
}

/** A client of the reference server, and one of ours. */
export interface Pair<Side extends AskedClient> {
  readonly reference: Side;
  readonly ours: Side;
}
