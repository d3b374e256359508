/** What is known of how a client behaves, as far as a server sees it. Times are the client's own: who plays it may divide them. */

/** How a client writes the names of tools for its model. */
export interface NameRule {
  /** What it puts before the name. `SERVER` stands for the name of the server. */
  readonly prefix: string;
  /** With the prefix. */
  readonly longest: number;
  /** What it does with a tool whose name is longer, or has other characters than letters, digits, `_` and `-`. */
  readonly otherwise: 'hides every tool' | 'leaves it out' | 'changes it';
}

/** When a client stops waiting for a call, and how. */
export interface Limit {
  readonly ms: number;
  /** What makes it wait for as long again: nothing, progress, or any byte of the response. */
  readonly restartedBy?: 'progress' | 'bytes';
  /**
   * What the server sees of it: `notifications/cancelled` with a reason or without one, the end of the stream of the response, or
   * nothing.
   */
  readonly sends: { readonly cancels: string | undefined } | 'closes the stream' | 'nothing';
  /** What its model is told. */
  readonly says: string;
}

/** A client, by its manners. */
export interface Manner {
  /** What it is called, as its users know it. */
  readonly title: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly protocolVersion: '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly transports: readonly ('http' | 'stdio')[];
  /** Absent: it waits as long as it takes. */
  readonly limit?: Limit;
  /** The call has a progress token. */
  readonly hasProgressToken?: true;
  /** Of a request over HTTP. @defaultValue both forms */
  readonly accept?: string;
  /** It keeps a stream open for what belongs to no request. */
  readonly listens?: true;
  /** It reads only the first page of a list. */
  readonly readsFirstPageOnly?: true;
  /** Each call is a session of its own. */
  readonly hasSessionPerCall?: true;
  /** It calls a tool that may run as a task as one. */
  readonly callsAsTask?: true;
  /** A result without the structured content that its tool's output schema promises is an error to it. */
  readonly checksResults?: true;
  readonly names?: NameRule;
  /** It can also run here, so its row is that of the catalogue. */
  readonly runsHere?: true;
  /** What its users can set, if the limit is in their way. */
  readonly setting?: string;
  /** What of this is not known, and how it is played instead. */
  readonly assumed?: string;
}
