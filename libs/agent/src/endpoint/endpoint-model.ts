/**
 * Asks a model at an OpenAI-compatible endpoint. Endpoints support different members. A refused member is left out or expressed in another
 * way, once, and the refusal is remembered. If an endpoint refuses what follows from an earlier refusal, it has changed: all that is known
 * of it is forgotten. A request that cannot be answered in any form fails with a {@link ModelError}; nothing else is tried again here.
 *
 * In automatic mode tools are offered natively. The mode becomes textual when the endpoint says that it has no tools, or when the model's
 * template ignores them. Servers do not report such a template. Two signs show it: an answer without a call counts too few tokens for its
 * tools, and the same messages count far more tokens with the tools in their text. Schemas are forced only where the operator wants it.
 */
import type { JsonObject } from '@longhaul/tasks';
import { isToBeAskedAgain } from '../model/reply-problem.js';
import { splitAtOpenEnd } from '../textual-calls/thought-splitter.js';
import { toolModes } from '../tool-modes/tool-modes.js';
import { type CompletionOptions, type Connection, requestCompletion } from './request-completion.js';
import type { ChatModel, ChatOptions, ChatReply, ChatRequest, ToolMode, Usage } from '../model/chat-model.js';
import type { Completion } from './completion.js';
import { type Fetch, namedHostFetch } from '@longhaul/runtime/named-host-fetch';
import { chatApi } from './chat-api.js';
import type { EndpointApi } from './endpoint-api.js';
import { type EndpointFacts, EndpointMemory, idOf, memoryKey } from './endpoint-memory.js';
import { ignoresTools, mayIgnoreTools } from './ignored-tools.js';
import { LiveText } from './live-text.js';
import { ModelError } from '../model/model-error.js';
import type { OperatorSampling } from '../model/sampling.js';
import { NO_USAGE, sumOf, usageOf } from '../model/usage.js';
import type { ObserveRequest } from './observe-request.js';
import { redaction } from './redaction.js';
import { EndpointRefusal } from './refusal.js';
import type { ModelTimeouts } from './request-watch.js';
import { responsesApi } from './responses-api.js';
import { ResultTrimming } from './result-trimming.js';
import { wayAround } from './way-around.js';

const APIS = { chat: chatApi, responses: responsesApi } as const satisfies Record<string, EndpointApi>;

/** What an endpoint is asked by: chat completions, or the Responses API. */
export type ApiName = keyof typeof APIS;

const DEFAULT_TIMEOUTS: ModelTimeouts = { firstByteMs: 300_000, idleMs: 60_000, totalMs: 900_000 };

/** Where a model is, and how it is asked. */
export interface EndpointOptions {
  /** Up to `/v1`: what comes before `/chat/completions` or `/responses`. */
  readonly baseUrl: string;
  /** Sent as a bearer token, to this endpoint only. */
  readonly apiKey?: string | undefined;
  /** As the endpoint knows it. */
  readonly model: string;
  /** @defaultValue `chat` */
  readonly api?: ApiName;
  /** @defaultValue `auto` */
  readonly mode?: ToolMode | 'auto';
  /** Whether the model takes images; others receive a note that there is one. @defaultValue false */
  readonly takesImages?: boolean;
  /** Whether it takes audio, WAV and MP3. By the Responses API, no model does. @defaultValue false */
  readonly takesAudio?: boolean;
  /** Whether it takes PDF files. @defaultValue false */
  readonly takesFiles?: boolean;
  /** Whether answers come in pieces. @defaultValue true */
  readonly isStreamed?: boolean;
  readonly timeouts?: Partial<ModelTimeouts>;
  /** Sent with each request; their values are as secret as the key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How the model generates. @defaultValue as the endpoint does it */
  readonly sampling?: OperatorSampling | undefined;
  /** In place of connections without any time limits but the ones above. */
  readonly fetch?: Fetch;
  /** Looks on at each request, also at those that are refused. */
  readonly observe?: ObserveRequest | undefined;
  /** The known behaviour of endpoints; new facts are added. @defaultValue that of this model alone */
  readonly memory?: EndpointMemory | undefined;
}

/** A model at an endpoint. Nothing is sent yet. @throws Error that says what is wrong with the URL or the key, without the key */
export function createEndpointModel(options: EndpointOptions): ChatModel {
  return new EndpointModel(options, connectionOf(options));
}

function connectionOf({
  baseUrl,
  api = 'chat',
  apiKey,
  headers = {},
  fetch = namedHostFetch,
  timeouts,
  observe,
}: EndpointOptions): Connection {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error('The base URL of the model has to begin with http:// or https://.');
  if (url.username !== '' || url.password !== '') throw new Error('The base URL of the model may have no user name or password.');
  const key = apiKey?.trim() || undefined;
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) throw new Error('The API key of the model has spaces or characters beyond ASCII.');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]*$/.test(value)) throw new Error(`The header ${name} of the model has characters beyond ASCII.`);
  }
  // A server may repeat a part of a header, such as what comes after the scheme.
  const values = Object.values(headers);
  const secrets = [
    ...(key === undefined ? [] : [key]),
    ...values,
    ...values.flatMap((value) => value.split(' ')),
    ...url.searchParams.values(),
  ];
  return {
    api: APIS[api],
    baseUrl: url,
    apiKey: key,
    headers,
    fetch,
    timeouts: { ...DEFAULT_TIMEOUTS, ...timeouts },
    redact: redaction(secrets),
    observe,
  };
}

/** One form in which the endpoint is asked. */
interface Attempt {
  readonly request: ChatRequest;
  readonly mode: ToolMode;
  readonly body: JsonObject;
  readonly live: LiveText;
  /** Whether the mode is still to be found out. */
  readonly isUndecided: boolean;
}

/** The usage that the endpoint counts for all requests of one reply. */
class CountedUsage {
  /** Undefined as long as nothing was counted. */
  sum: Usage | undefined;
  readonly add = (usage: Usage): void => {
    this.sum = sumOf(this.sum ?? NO_USAGE, usage);
  };
}

class EndpointModel implements ChatModel {
  readonly name: string;
  readonly takesImages: boolean;
  readonly takesAudio: boolean;
  readonly takesFiles: boolean;
  readonly #memory: EndpointMemory;
  readonly #memoryKey: string;
  readonly #thinker: string;

  constructor(
    private readonly options: EndpointOptions,
    private readonly connection: Connection,
  ) {
    this.name = options.model;
    this.takesImages = options.takesImages ?? false;
    this.takesAudio = options.takesAudio === true && connection.api.hasAudio;
    this.takesFiles = options.takesFiles ?? false;
    this.#memory = options.memory ?? new EndpointMemory();
    this.#memoryKey = memoryKey(connection.baseUrl, options.model, options.api === 'responses' ? responsesApi.path : '');
    this.#thinker = idOf(this.#memoryKey);
  }

  async complete(request: ChatRequest, options: ChatOptions): Promise<ChatReply> {
    const counted = new CountedUsage();
    try {
      return await this.#ask(request, options, counted);
    } catch (error) {
      if (!(error instanceof ModelError) || counted.sum === undefined) throw error;
      throw new ModelError(error.code, error.message, error.retryAfterMs, counted.sum);
    }
  }

  /** Asks in one form after the other, until one is answered. */
  async #ask(request: ChatRequest, options: ChatOptions, counted: CountedUsage): Promise<ChatReply> {
    const trimming = new ResultTrimming(request.messages);
    let facts = await this.#memory.recall(this.#memoryKey);
    let remembered = facts;
    for (;;) {
      const attempt = this.#attempt({ ...request, messages: trimming.trimmed }, facts);
      try {
        const completion = await requestCompletion(this.connection, attempt.body, this.#watched(attempt, options, counted));
        const found = await this.#modeFound(attempt, completion, { signal: options.signal, onUsage: counted.add });
        facts = await this.#learn(facts, found);
        if (found.mode !== undefined && found.mode !== attempt.mode) continue;
        facts = await this.#learn(facts, thoughtsFound(completion, facts));
        const reply = this.#read(attempt, completion, options);
        // The loop estimates a missing count, unless another count is present.
        const rest = completion.usage === undefined && counted.sum !== undefined ? usageOf(reply, request.messages) : NO_USAGE;
        const usage = counted.sum && sumOf(counted.sum, rest);
        return { ...reply, ...(usage !== undefined && { usage }), ...(trimming.count > 0 && { trimmedResults: trimming.count }) };
      } catch (error) {
        if (!(error instanceof EndpointRefusal)) throw error;
        const { obstacle, fits, modelError } = error;
        if (obstacle === 'context') {
          if (!trimming.trim(fits)) throw modelError;
          continue;
        }
        const found = obstacle && wayAround(obstacle, attempt.body, { api: this.connection.api, facts, isAuto: this.#isAuto });
        if (found === undefined) {
          if (!error.isOfForm || !this.#dependsOn(remembered, attempt)) throw modelError;
          await this.#memory.forget(this.#memoryKey);
          facts = remembered = {};
          continue;
        }
        // That one schema is refused says nothing of others, nor do the thoughts of one conversation.
        facts = obstacle === 'schema' || obstacle === 'thoughts' ? { ...facts, ...found } : await this.#learn(facts, found);
      }
    }
  }

  /** Whether the request would be another one without these facts. */
  #dependsOn(facts: EndpointFacts, { request, body }: Attempt): boolean {
    return Object.keys(facts).length > 0 && JSON.stringify(this.#attempt(request, {}).body) !== JSON.stringify(body);
  }

  get #isAuto(): boolean {
    return (this.options.mode ?? 'auto') === 'auto';
  }

  #attempt(request: ChatRequest, facts: EndpointFacts): Attempt {
    const { mode: wanted = 'auto', isStreamed = true, sampling } = this.options;
    const mode = wanted === 'auto' ? (facts.mode ?? 'native') : wanted;
    const body = this.connection.api.body(toolModes[mode].request(request), {
      model: this.name,
      taken: this,
      isStreamed,
      maxTokens: request.maxTokens,
      facts,
      sampling,
      thinker: this.#thinker,
    });
    return { request, mode, body, live: new LiveText(facts.opensThoughts), isUndecided: wanted === 'auto' && facts.mode === undefined };
  }

  /** Shows what arrives, but no calls. */
  #watched({ mode, live }: Attempt, { signal, onDelta }: ChatOptions, counted: CountedUsage): CompletionOptions {
    return {
      signal,
      onUsage: counted.add,
      onDelta: (delta) => {
        if (delta.text === undefined) onDelta?.(delta);
        else if (mode !== 'schema') for (const shown of live.push(delta.text)) onDelta?.(shown);
      },
    };
  }

  /** Learns from an answer how the endpoint takes tools, if that is not known yet. */
  async #modeFound({ request, mode, isUndecided }: Attempt, completion: Completion, options: CompletionOptions): Promise<EndpointFacts> {
    if (!isUndecided || request.tools.length === 0) return {};
    if (completion.toolCalls.length > 0) return { mode };
    const { usage } = completion;
    if (usage === undefined || !mayIgnoreTools(request, usage)) return {};
    const described = this.#attempt(request, { mode: 'textual' }).body;
    return { mode: (await ignoresTools(this.connection, { request, described, usage }, options)) ? 'textual' : mode };
  }

  #read({ request, mode, live }: Attempt, completion: Completion, { onDelta }: ChatOptions): ChatReply {
    const { content, reasoning, toolCalls, isCut, thoughts: items = [] } = completion;
    const reply = toolModes[mode].reply({ content, toolCalls, isCut, ...(reasoning !== '' && { reasoning }) }, request);
    if (reply.toolCalls.length === 0) {
      if (reply.content.trim() === '')
        throw new ModelError('BAD_RESPONSE', 'No content and no tool calls', undefined, usageOf(reply, request.messages));
      if (!isToBeAskedAgain(reply)) for (const shown of mode === 'schema' ? [{ text: reply.content }] : live.rest()) onDelta?.(shown);
    }
    return { ...reply, ...(items.length > 0 && { thoughts: { by: this.#thinker, items } }), mode };
  }

  async #learn(facts: EndpointFacts, found: EndpointFacts): Promise<EndpointFacts> {
    if (Object.keys(found).length === 0) return facts;
    await this.#memory.learn(this.#memoryKey, found);
    return { ...facts, ...found };
  }
}

/** Whether an answer began within a thought, if that is new. */
function thoughtsFound({ content, reasoning }: Completion, { opensThoughts = false }: EndpointFacts): EndpointFacts {
  return !opensThoughts && reasoning === '' && splitAtOpenEnd(content) !== undefined ? { opensThoughts: true } : {};
}
