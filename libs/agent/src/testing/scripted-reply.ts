/** Defines the replies of a scripted endpoint, and the requests that it received. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Json, JsonObject } from '@longhaul/tasks';

/** A call that the scripted model makes. */
export interface ScriptedCall {
  readonly name: string;
  /** Text is sent as it is, JSON or not. */
  readonly arguments: string | JsonObject;
  /** `call_<request>_<index>` by default, both counted from 1. */
  readonly id?: string;
}

/** How tool calls stand in a stream: see {@link ScriptedReply.callStyle}. */
export type CallStyle = 'fragments' | 'whole' | 'without-index' | 'repeated-id';

/** What the endpoint counts. */
export interface ScriptedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
}

/** One answer. Nothing at all is a completion with empty content. */
export interface ScriptedReply {
  readonly content?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  readonly reasoning?: string;
  /** The member that has the reasoning. @defaultValue `reasoning_content` */
  readonly reasoningField?: 'reasoning' | 'reasoning_content';
  /** What the Responses API wants back in place of the reasoning. */
  readonly encryptedReasoning?: string;
  /** Why an answer of the Responses API ends in the middle. */
  readonly incomplete?: 'max_output_tokens' | 'content_filter';
  /** Why the Responses API has no answer, after it has begun. */
  readonly failure?: { readonly code: string; readonly message: string };
  /**
   * `null`: the endpoint does not count. If the count is less than the tools must have, a model in automatic mode asks once more, to see
   * whether its template ignores tools.
   *
   * @defaultValue a token for every three characters of messages and tools; 5 generated
   */
  readonly usage?: ScriptedUsage | null;
  /**
   * `fragments`: id, type and name once, then the arguments in pieces, as OpenAI and vLLM do. `whole`: each call in one piece.
   * `without-index`: the same, without `index`. `repeated-id`: pieces that all have id, type and name.
   *
   * @defaultValue `fragments`
   */
  readonly callStyle?: CallStyle;
  /** @defaultValue 200 */
  readonly status?: number;
  /** Sent instead of a completion: text as it is, the rest as JSON. */
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body is written in chunks of so many bytes, also within a character. All at once by default. */
  readonly chunkBytes?: number;
  /** Without `[DONE]` at the end of a stream. */
  readonly withoutDone?: boolean;
  /** Never answers; or writes half of the body, and then nothing more. */
  readonly hang?: 'before' | 'midway';
  /** Breaks the connection without an answer; or after half of the body. */
  readonly cut?: 'before' | 'midway';
}

/** A request that a scripted endpoint has received. */
export interface RecordedRequest {
  /** Counted from 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
  /** Whether the client went away before the answer was complete. */
  readonly isAborted: boolean;
}

/** Replies in their order, or a function from a request to its reply. */
export type Script = readonly ScriptedReply[] | ((request: RecordedRequest) => ScriptedReply | Promise<ScriptedReply>);
