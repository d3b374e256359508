/** Reads an endpoint's reason for not answering, in the words of OpenAI, vLLM, llama.cpp, Ollama and proxies in front of them. */
import { firstCharacters } from '@longhaul/tasks/text';
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';
import type { OptionalMember } from './endpoint-memory.js';
import { ModelError, type ModelErrorCode } from '../model/model-error.js';
import type { Redaction } from './redaction.js';
import { retryAfterMs } from './retry-after.js';

/** The obstacle to a request that may be answered in another form. */
export type Obstacle = 'context' | 'tool-parser' | 'tools' | 'schema' | OptionalMember;

/** An answer that is no completion, as it came. */
export interface ErrorAnswer {
  /** Undefined inside a stream. */
  readonly status: number | undefined;
  readonly headers?: Headers | undefined;
  /** The error as an object, or the body as text. */
  readonly error: unknown;
}

/** An endpoint has refused a request. */
export class EndpointRefusal extends Error {
  override readonly name = 'EndpointRefusal';

  /**
   * @param modelError the resulting error, if no change of the request can help
   * @param obstacle what to leave out
   * @param fits the share of the conversation that fits into the context, if the endpoint says it
   * @param isOfForm whether the endpoint finds fault with the request itself
   */
  constructor(
    readonly modelError: ModelError,
    readonly obstacle?: Obstacle,
    readonly fits?: number,
    readonly isOfForm = false,
  ) {
    super(modelError.message);
  }
}

const MAX_READ_CHARACTERS = 10_000;
const OVERFLOW_CODES: ReadonlySet<unknown> = new Set(['context_length_exceeded', 'exceed_context_size_error']);
const OVERFLOW =
  /maximum context length is|context length is only|exceeds? the available context size|prompt is too long|max_tokens must be at least 1, got -/i;
const NO_MODEL_CODES: ReadonlySet<unknown> = new Set(['model_not_found', 'model_decommissioned', 'model_not_available']);
const NO_MODEL = /\bmodel\b.{0,200}(not found|does not exist|not exist|decommissioned|is not available)|(invalid|unknown) model\b/is;
const OBSTACLES: readonly (readonly [Obstacle, RegExp])[] = [
  // Of another account, or of a model that has been replaced.
  ['thoughts', /encrypted content .{0,200}could not be|of type 'reasoning'/i],
  // Models that do not think.
  ['include', /^include\b|reasoning\.encrypted_content|encrypted content is not supported/i],
  ['store', /^store$|(?:unsupported|unknown|unrecognized|unexpected).{0,40}\bstore\b/i],
  ['tool-parser', /requires --enable-auto-tool-choice/],
  [
    'tools',
    /not support (tools|tool|function)|tools param requires --jinja|unsupported param: tools|support tool use|tool (use|calling) is not supported/i,
  ],
  ['stream_options', /stream_options/],
  ['parallel_tool_calls', /parallel_tool_calls/],
  ['max_tokens', /max_completion_tokens/],
  // The endpoint takes schemas, but not this one.
  ['schema', /invalid schema|invalid_json_schema|unsupported.{0,40}schema/i],
  ['response_format', /response_format|text\.format|json_schema|structured outputs?|guided decoding|grammar/i],
];

/** Interprets an answer. */
export function endpointRefusal({ status, headers, error }: ErrorAnswer, redact: Redaction): EndpointRefusal {
  const details = isJsonObject(error) ? error : {};
  const text = firstCharacters(textOf(error), MAX_READ_CHARACTERS);
  const said = redact(text);
  const code = status ?? (typeof details['code'] === 'number' ? details['code'] : undefined);
  const suffix = said === '' ? '.' : `: ${said}`;
  const errorOf = (name: ModelErrorCode, what: string, waitMs?: number): ModelError =>
    new ModelError(name, code === undefined ? `${what}${suffix}` : `${what} (${code})${suffix}`, waitMs);
  // A server's message about a key often includes a part of the key.
  if (code === 401) return new EndpointRefusal(new ModelError('UNAUTHORIZED', 'The endpoint does not accept the key, or wants one (401).'));
  if (code === 403) return new EndpointRefusal(errorOf('UNAUTHORIZED', 'The endpoint does not allow this key to do that'));
  if (code === 429 || (code === undefined && details['code'] === 'rate_limit_exceeded'))
    return new EndpointRefusal(rateLimit(details, errorOf, retryAfterMs(headers)));
  if (OVERFLOW_CODES.has(details['code']) || OVERFLOW_CODES.has(details['type']) || OVERFLOW.test(text)) {
    return new EndpointRefusal(
      errorOf('CONTEXT_OVERFLOW', 'The conversation is too long for the model'),
      'context',
      shareThatFits(details, text),
    );
  }
  const obstacle = OBSTACLES.find(([, pattern]) => pattern.test(text) || pattern.test(textMember(details, 'param')))?.[0];
  // Within a stream there is no status.
  if (code === undefined && details['code'] === 'server_error') return new EndpointRefusal(errorOf('UNAVAILABLE', 'The endpoint failed'));
  const isOfForm = code === 400 || code === 422;
  if (obstacle !== undefined) return new EndpointRefusal(otherError(code, errorOf, headers), obstacle, undefined, isOfForm);
  if (NO_MODEL_CODES.has(details['code']) || ((code === 404 || code === 400) && NO_MODEL.test(text))) {
    return new EndpointRefusal(errorOf('UNKNOWN_MODEL', 'The endpoint does not have the model'));
  }
  return new EndpointRefusal(otherError(code, errorOf, headers), undefined, undefined, isOfForm);
}

type ErrorOf = (name: ModelErrorCode, what: string, waitMs?: number) => ModelError;

function rateLimit(details: JsonObject, errorOf: ErrorOf, waitMs: number | undefined): ModelError {
  if (details['code'] === 'insufficient_quota') return errorOf('REFUSED', 'The quota of the key is used up');
  return errorOf('RATE_LIMITED', 'The endpoint takes no more requests for now', waitMs);
}

function otherError(code: number | undefined, errorOf: ErrorOf, headers: Headers | undefined): ModelError {
  if (code === undefined || code === 200) return errorOf('BAD_RESPONSE', 'The endpoint reports an error');
  if (code === 404 || code === 405)
    return errorOf('REFUSED', 'The endpoint does not offer this API at this URL; most base URLs end with /v1');
  if (code === 408) return errorOf('TIMEOUT', 'The endpoint did not get an answer in time');
  if (code === 409 || code === 425 || code >= 500) return errorOf('UNAVAILABLE', 'The endpoint failed', retryAfterMs(headers));
  if (code >= 300 && code < 400) return errorOf('REFUSED', 'The endpoint redirects, which is not followed; use the URL that it leads to');
  return errorOf('REFUSED', 'The endpoint refuses the request');
}

function textMember(object: JsonObject, name: string): string {
  return typeof object[name] === 'string' ? object[name] : '';
}

/** The words in an error, wherever a server writes them. */
function textOf(error: unknown): string {
  if (typeof error === 'string') return isMarkup(error) ? titleOf(error) : error;
  if (!isJsonObject(error)) return '';
  const said: Json | undefined = error['message'] ?? error['detail'] ?? error['error'];
  if (said === undefined || said === null) return JSON.stringify(error);
  return typeof said === 'string' ? said : JSON.stringify(said);
}

function isMarkup(text: string): boolean {
  return text.trimStart().startsWith('<');
}

function titleOf(page: string): string {
  const title = /<title>([^<]*)<\/title>/i.exec(page)?.[1]?.trim();
  return title === undefined || title === '' ? 'a page and no JSON' : `a page with the title “${title}”`;
}

/** Computed from the endpoint's numbers: the tokens of the prompt, and the tokens that it may have in addition to the answer. */
function shareThatFits(details: JsonObject, text: string): number | undefined {
  const numberIn = (pattern: RegExp): number | undefined => {
    const digits = pattern.exec(text)?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const context = details['n_ctx'] ?? numberIn(/context (?:length is(?: only)?|size) \(?(\d+)/);
  const prompt =
    details['n_prompt_tokens'] ??
    numberIn(/passed (\d+) input/) ??
    numberIn(/(\d+) in the messages/) ??
    numberIn(/(?:resulted in|requested|input|request) \(?(\d+) tokens/);
  const answer = numberIn(/requested (\d+) output/) ?? numberIn(/(\d+) in the completion/) ?? 0;
  if (typeof context !== 'number' || typeof prompt !== 'number' || prompt <= 0) return undefined;
  return Math.max(0, context - answer) / prompt;
}
