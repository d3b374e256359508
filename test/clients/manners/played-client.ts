/** Plays a client by its manners, over any wire. */
import type { Limit, Manner } from './manner.ts';
import type { ModelsClient } from './model.ts';
import { type ListedTool, shownTools } from './names.ts';
import type { Message, OnMessage, Reading, Wire } from './wire.ts';

const META = 'io.modelcontextprotocol/';
const METHOD_NOT_FOUND = -32_601;

/** Opens the client's connection. */
export type OpenWire = (onMessage: OnMessage) => Wire;

/** How a client is played. */
export interface Playing {
  readonly openWire: OpenWire;
  /** By what its times are divided. */
  readonly pace: number;
  /** What its user fills in. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** A connected client. */
export interface PlayedClient extends ModelsClient {
  /** The messages of progress that its user has seen. */
  readonly progress: readonly Message[];
  /** The questions that its user was asked by itself. */
  readonly asked: readonly string[];
  /** How often it waited no longer. */
  readonly givenUp: number;
  close(): Promise<void>;
}

export async function connect(manner: Manner, playing: Playing): Promise<PlayedClient> {
  const client = new Played(manner, playing);
  await client.open();
  return client;
}

class Played implements PlayedClient {
  readonly progress: Message[] = [];
  readonly asked: string[] = [];
  givenUp = 0;
  hasFollowedTask = false;
  #tools: ReadonlyMap<string, ListedTool> = new Map();
  #wire: Wire;
  #ids = 0;
  readonly #sending: Promise<void>[] = [];
  /** Called for each report of progress. */
  #onProgress: () => void = () => undefined;

  private readonly manner: Manner;
  private readonly playing: Playing;

  constructor(manner: Manner, playing: Playing) {
    this.manner = manner;
    this.playing = playing;
    this.#wire = playing.openWire((message) => this.#receive(message));
  }

  /** Tools of a page are not for the model. */
  get shown(): readonly string[] {
    return [...this.#tools].filter(([, tool]) => uiOf(tool)?.visibility?.includes('model') !== false).map(([name]) => name);
  }

  get answers(): Readonly<Record<string, unknown>> {
    return this.playing.answers;
  }

  get #isModern(): boolean {
    return this.manner.protocolVersion === '2026-07-28';
  }

  async open(): Promise<void> {
    const server = await this.#handshake();
    const listed: ListedTool[] = [];
    let cursor: unknown;
    do {
      const { tools, nextCursor } = await this.#request('tools/list', cursor === undefined ? {} : { cursor });
      listed.push(...(tools as ListedTool[]));
      cursor = nextCursor;
    } while (cursor !== undefined && this.manner.readsFirstPageOnly !== true);
    this.#tools = shownTools(listed, this.manner.names, server);
  }

  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`The model called ${name}, which it was not shown.`);
    if (this.manner.hasSessionPerCall === true) await this.#renewSession();
    const result = this.#runsAsTask(tool) ? await this.#callAsTask(tool, args) : await this.#callPlainly(tool, args);
    if (uiOf(tool)?.resourceUri !== undefined) await this.#usePage(args, result);
    return this.#read(tool, result);
  }

  async close(): Promise<void> {
    await Promise.all(this.#sending);
    await this.#wire.close();
  }

  /** Sends what nobody waits for. A client that has failed to say something goes on. */
  #sendLater(message: Message): void {
    const sent = this.#wire.send({ jsonrpc: '2.0', ...message }).catch((error: unknown) => {
      process.stderr.write(`${this.manner.title} could not send ${JSON.stringify(message)}: ${String(error)}\n`);
    });
    this.#sending.push(sent);
  }

  async #renewSession(): Promise<void> {
    await this.#wire.close();
    this.#wire = this.playing.openWire((message) => this.#receive(message));
    await this.#handshake();
  }

  /** @returns the server's name */
  async #handshake(): Promise<string> {
    const { capabilities, clientInfo, protocolVersion, listens } = this.manner;
    if (this.#isModern) return nameOf(await this.#request('server/discover', {}));
    const greeting = await this.#request('initialize', { protocolVersion, capabilities, clientInfo });
    await this.#wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    if (listens === true) this.#wire.listen();
    return nameOf(greeting);
  }

  #runsAsTask({ execution }: ListedTool): boolean {
    const support = execution?.taskSupport;
    return this.manner.callsAsTask === true && (support === 'optional' || support === 'required');
  }

  /** Has the user answer on the page that the client shows for a tool. The page calls tools of its own. */
  async #usePage({ taskId }: Message, { structuredContent }: Message): Promise<void> {
    const { questions = [] } = (structuredContent ?? {}) as {
      readonly questions?: readonly { readonly key: string; readonly message: string }[];
    };
    for (const { key, message } of questions) {
      this.asked.push(message);
      const answer = { taskId, key, action: 'accept', content: this.playing.answers };
      await this.#request('tools/call', { name: 'task_answer', arguments: answer });
    }
  }

  async #callPlainly({ name }: ListedTool, args: object): Promise<Message> {
    return this.#withinLimit((reading, setId) => this.#rounds('tools/call', { name, arguments: args }, reading, setId));
  }

  async #callAsTask({ name }: ListedTool, args: object): Promise<Message> {
    const { task } = await this.#request('tools/call', { name, arguments: args, task: {}, ...this.#progressToken(this.#ids + 1) });
    const { taskId } = task as { readonly taskId: string };
    this.hasFollowedTask = true;
    return this.#request('tasks/result', { taskId });
  }

  /** Sends the request again with answers as long as it is answered with questions. */
  async #rounds(method: string, params: Message, reading: Reading, setId: (id: number) => void): Promise<Message> {
    let given: Message = params;
    for (;;) {
      const id = this.#ids + 1;
      setId(id);
      const result = await this.#request(method, { ...given, ...this.#progressToken(id) }, reading);
      if (result['resultType'] !== 'input_required') return result;
      const { inputRequests = {}, requestState } = result as { inputRequests?: Record<string, Message>; requestState?: unknown };
      const inputResponses = Object.fromEntries(Object.entries(inputRequests).map(([key, asked]) => [key, this.#answer(asked)]));
      given = { ...params, inputResponses, requestState };
    }
  }

  #progressToken(id: number): object {
    return this.manner.hasProgressToken === true ? { _meta: { progressToken: id } } : {};
  }

  async #withinLimit(call: (reading: Reading, setId: (id: number) => void) => Promise<Message>): Promise<Message> {
    const { limit } = this.manner;
    let id = 0;
    const setId = (given: number): void => void (id = given);
    if (limit === undefined) return call({}, setId);
    const closing = new AbortController();
    const over = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.givenUp += 1;
      over.reject(new Error(limit.says));
      this.#giveUp(limit, id, closing);
    }, limit.ms / this.playing.pace);
    const again = (): void => void timer.refresh();
    if (limit.restartedBy === 'progress') this.#onProgress = again;
    const reading = { closed: closing.signal, ...(limit.restartedBy === 'bytes' && { onBytes: again }) };
    try {
      return await Promise.race([call(reading, setId), over.promise]);
    } finally {
      clearTimeout(timer);
      this.#onProgress = () => undefined;
    }
  }

  #giveUp({ sends }: Limit, requestId: number, closing: AbortController): void {
    if (sends === 'nothing') return;
    if (sends === 'closes the stream') return closing.abort();
    const reason = sends.cancels === undefined ? {} : { reason: sends.cancels };
    this.#sendLater({ method: 'notifications/cancelled', params: { requestId, ...reason } });
  }

  async #request(method: string, params: Message, reading?: Reading): Promise<Message> {
    this.#ids += 1;
    const request = { jsonrpc: '2.0', id: this.#ids, method, params: this.#isModern ? this.#withEnvelope(params) : params } as const;
    const { result, error } = await this.#wire.request(request, reading);
    if (error === undefined) return result as Message;
    const { code, message } = error as { readonly code: number; readonly message: string };
    throw new Error(`MCP error ${code}: ${message}`);
  }

  #withEnvelope(params: Message): Message {
    const { clientInfo, capabilities, protocolVersion } = this.manner;
    const envelope = { protocolVersion, clientInfo, clientCapabilities: capabilities };
    const named = Object.fromEntries(Object.entries(envelope).map(([name, value]) => [META + name, value]));
    return { ...params, _meta: { ...(params['_meta'] as object | undefined), ...named } };
  }

  #receive(message: Message): void {
    const { method, id } = message;
    if (method === 'notifications/progress') {
      this.progress.push(message['params'] as Message);
      this.#onProgress();
    }
    if (id === undefined) return;
    const result = this.#answer(message);
    const answered = result === undefined ? { error: { code: METHOD_NOT_FOUND, message: 'Method not found' } } : { result };
    this.#sendLater({ id, ...answered });
  }

  #answer({ method, params }: Message): Message | undefined {
    const { capabilities } = this.manner;
    if (method === 'ping') return {};
    if (method === 'roots/list' && 'roots' in capabilities) return { roots: [] };
    if (method !== 'elicitation/create' || !('elicitation' in capabilities)) return undefined;
    this.asked.push(String((params as Message)['message']));
    return { action: 'accept', content: this.playing.answers };
  }

  #read({ name, outputSchema }: ListedTool, { content, structuredContent, isError }: Message): string {
    if (this.manner.checksResults === true && outputSchema !== undefined && structuredContent === undefined && isError !== true)
      throw new Error(`MCP error -32600: Tool ${name} has an output schema but did not return structured content`);
    return (content as { readonly text?: string }[]).map(({ text = '' }) => text).join('\n');
  }
}

/** What a tool says of its page. */
function uiOf({ _meta }: ListedTool): { readonly resourceUri?: string; readonly visibility?: readonly string[] } | undefined {
  return _meta?.['ui'] as ReturnType<typeof uiOf>;
}

/** The name of the server, which newer versions of the protocol have with what is beside a result. */
function nameOf({ serverInfo, _meta }: Message): string {
  const info = serverInfo ?? (_meta as Message | undefined)?.[`${META}serverInfo`];
  return (info as { readonly name: string }).name;
}
