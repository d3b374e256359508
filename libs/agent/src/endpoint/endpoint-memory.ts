import type { ToolMode } from '../model/chat-model.js';

/** A member of a request that a server may not know, and that can be left out. */
export type OptionalMember = 'max_tokens' | 'parallel_tool_calls' | 'response_format' | 'stream_options';

/** The known behaviour of an endpoint with a model. Plain JSON. */
export interface EndpointFacts {
  /** How it takes tools, where that was to be found out. */
  readonly mode?: ToolMode;
  /** It is vLLM without a parser for tool calls: the calls are in the text. */
  readonly lacksToolParser?: boolean;
  /** The prompt ends with the beginning of a thought, so that an answer begins within one. */
  readonly opensThoughts?: boolean;
  readonly refuses?: readonly OptionalMember[];
}

/**
 * Remembers the behaviour of endpoints by URL and model, so that it is tested once. It is plain JSON without any key, so it can be kept for
 * other processes. It is optional: without it, a request is refused once more.
 */
export type EndpointMemory = Record<string, EndpointFacts>;

/** The name of the facts: the URL without what may be secret in it, and the model. */
export function memoryKey(baseUrl: URL, model: string): string {
  return `${baseUrl.origin}${baseUrl.pathname} ${model}`;
}
