/**
 * Lets several clients use one connection that only has one: the process of a server, or its only stream. Each client has a port. The hub
 * gives requests ids of its own, and what the server sends goes to the port that it is for: an answer, a report of progress and a question
 * to the one that has asked; a change of a list to all. A question that could be for several ports is refused.
 *
 * Only the first port begins the session, and only its end ends the connection. See `greeted` for the other ones.
 */
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  RELATED_TASK_META_KEY,
  type RequestId,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { JsonRpcCode } from '@longhaul/tasks';

/** Most requests under way on one connection; most tasks and progress tokens that are remembered. */
const MAX_PENDING = 1_000;

type Params = Readonly<Record<string, unknown>> & { readonly _meta?: Readonly<Record<string, unknown>> };
type Token = string | number;

/** A request that the server has not answered yet. */
interface Pending {
  readonly port: HubPort;
  readonly id: RequestId;
  readonly token: Token | undefined;
}

export class MessageHub {
  readonly #ports = new Set<HubPort>();
  readonly #pending = new Map<RequestId, Pending>();
  /** By the token that the server knows. */
  readonly #tokens = new Map<Token, { readonly port: HubPort; readonly token: Token }>();
  readonly #tasks = new Map<string, HubPort>();
  /** Questions of the server, by their ids. */
  readonly #asked = new Map<RequestId, HubPort>();
  #own: HubPort | undefined;
  #count = 0;

  constructor(private readonly transport: Transport) {
    transport.onmessage = (message) => this.#receive(message);
    transport.onerror = (error) => this.#own?.onerror?.(error);
    transport.onclose = () => {
      for (const port of this.#ports) port.ended();
      this.#ports.clear();
    };
  }

  /** How many clients use the connection. */
  get ports(): number {
    return this.#ports.size;
  }

  /** Whether clients other than the first one wait for answers. */
  get isBusyForOthers(): boolean {
    return [...this.#pending.values()].some(({ port }) => port !== this.#own);
  }

  /** A transport for one more client. */
  port(): Transport {
    const port = new HubPort(this, this.transport, this.#own === undefined);
    this.#own ??= port;
    this.#ports.add(port);
    return port;
  }

  async send(port: HubPort, message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isJSONRPCRequest(message)) return this.#request(port, message, options);
    if (isJSONRPCNotification(message)) {
      const notification = this.#notificationOf(port, message);
      return notification && this.transport.send(notification, options);
    }
    // An answer of somebody who was not asked is left out.
    if (message.id === undefined || this.#asked.get(message.id) !== port) return;
    this.#asked.delete(message.id);
    await this.transport.send(message, options);
  }

  /** Cancels what a client has under way. */
  leave(port: HubPort): void {
    if (!this.#ports.delete(port)) return;
    const dropped = (error: unknown): void => this.#own?.onerror?.(error instanceof Error ? error : new Error(String(error)));
    for (const [id, pending] of this.#pending) {
      if (pending.port !== port) continue;
      this.#settle(id, pending, false);
      const params = { requestId: id, reason: 'The client is gone.' };
      this.transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(dropped);
    }
    for (const [id, asked] of this.#asked) {
      if (asked !== port) continue;
      this.#asked.delete(id);
      this.#refuse(id, 'The client is gone.');
    }
    for (const [task, owner] of this.#tasks) if (owner === port) this.#tasks.delete(task);
    for (const [token, { port: owner }] of this.#tokens) if (owner === port) this.#tokens.delete(token);
  }

  async #request(port: HubPort, message: JSONRPCRequest, options?: TransportSendOptions): Promise<void> {
    if (this.#pending.size >= MAX_PENDING) throw new Error(`The server has ${MAX_PENDING} requests under way, which is the limit.`);
    this.#count += 1;
    const id = this.#count;
    const { params, token } = this.#withToken(port, message.params as Params | undefined, id);
    this.#pending.set(id, { port, id: message.id, token });
    try {
      await this.transport.send({ ...message, id, ...(params !== undefined && { params }) }, options);
    } catch (error) {
      this.#pending.delete(id);
      throw error;
    }
  }

  /** Tokens of two clients may be the same number. */
  #withToken(port: HubPort, params: Params | undefined, id: number): { readonly params?: Params | undefined; readonly token?: Token } {
    const token = params?._meta?.['progressToken'] as Token | undefined;
    if (token === undefined) return { params };
    const known = this.#tokens.get(token);
    const isFree = typeof token === 'string' && (known === undefined || known.port === port);
    const sent = isFree ? token : `hub-${id}`;
    remember(this.#tokens, sent, { port, token });
    return { params: { ...params, _meta: { ...params?._meta, progressToken: sent } }, token: sent };
  }

  #notificationOf(port: HubPort, message: JSONRPCNotification): JSONRPCNotification | undefined {
    if (message.method !== 'notifications/cancelled') return message;
    const { requestId } = (message.params ?? {}) as { requestId?: RequestId };
    const found = [...this.#pending].find(([, pending]) => pending.port === port && pending.id === requestId);
    if (found === undefined) return undefined;
    // Servers need not answer it any more, and an answer is not waited for.
    this.#settle(...found, false);
    return { ...message, params: { ...message.params, requestId: found[0] } };
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) this.#ask(message);
    else if (isJSONRPCNotification(message)) this.#notify(message);
    else if (isJSONRPCResponse(message) || isJSONRPCErrorResponse(message)) this.#answer(message);
  }

  #answer(message: Extract<JSONRPCMessage, { result: unknown } | { error: unknown }>): void {
    const { id } = message;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || pending === undefined) return;
    const { task } = ('result' in message ? message.result : {}) as { task?: { taskId?: unknown } };
    const isTask = typeof task?.taskId === 'string';
    if (isTask) remember(this.#tasks, task.taskId as string, pending.port);
    this.#settle(id, pending, isTask);
    pending.port.onmessage?.({ ...message, id: pending.id });
  }

  /** @param goesOn whether there may be more progress of it */
  #settle(id: RequestId, { token }: Pending, goesOn: boolean): void {
    this.#pending.delete(id);
    if (token !== undefined && !goesOn) this.#tokens.delete(token);
  }

  #ask(message: JSONRPCRequest): void {
    if (message.method === 'ping') return this.#reply({ jsonrpc: '2.0', id: message.id, result: {} });
    const asked = this.#askedBy(message.params as Params | undefined);
    if (asked === undefined) return this.#refuse(message.id, 'It is not known which call asks.');
    remember(this.#asked, message.id, asked);
    asked.onmessage?.(message);
  }

  #askedBy(params: Params | undefined): HubPort | undefined {
    const { taskId } = (params?._meta?.[RELATED_TASK_META_KEY] ?? {}) as { taskId?: string };
    const ofTask = taskId === undefined ? undefined : this.#tasks.get(taskId);
    const waiting = new Set([...this.#pending.values()].map(({ port }) => port));
    if (ofTask !== undefined || waiting.size === 0) return ofTask ?? this.#own;
    return waiting.size === 1 ? [...waiting][0] : undefined;
  }

  #notify(message: JSONRPCNotification): void {
    const params = (message.params ?? {}) as Params & { progressToken?: Token; requestId?: RequestId };
    if (message.method === 'notifications/progress') {
      const found = params.progressToken === undefined ? undefined : this.#tokens.get(params.progressToken);
      found?.port.onmessage?.({ ...message, params: { ...params, progressToken: found.token } });
      return;
    }
    if (message.method === 'notifications/cancelled') {
      const asked = params.requestId === undefined ? undefined : this.#asked.get(params.requestId);
      asked?.onmessage?.(message);
      return;
    }
    if (message.method === 'notifications/message' && params._meta?.[SUBSCRIPTION_ID_META_KEY] === undefined) {
      // Nothing says which call it is of.
      ([...this.#pending.values()].at(-1)?.port ?? this.#own)?.onmessage?.(message);
      return;
    }
    const subscription = params._meta?.[SUBSCRIPTION_ID_META_KEY] as RequestId | undefined;
    if (subscription === undefined) for (const port of this.#ports) port.onmessage?.(message);
    else {
      const found = this.#pending.get(subscription);
      const _meta = { ...params._meta, [SUBSCRIPTION_ID_META_KEY]: found?.id };
      found?.port.onmessage?.({ ...message, params: { ...params, _meta } });
    }
  }

  #refuse(id: RequestId, message: string): void {
    this.#reply({ jsonrpc: '2.0', id, error: { code: JsonRpcCode.InternalError, message } });
  }

  #reply(message: JSONRPCMessage): void {
    this.transport.send(message).catch((error: Error) => this.#own?.onerror?.(error));
  }
}

/** The place of one client. */
class HubPort implements Transport {
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];
  #isClosed = false;

  constructor(
    private readonly hub: MessageHub,
    private readonly transport: Transport,
    private readonly isFirst: boolean,
  ) {}

  async start(): Promise<void> {
    if (this.isFirst) await this.transport.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) throw new Error('The connection to the server has ended.');
    await this.hub.send(this, message, options);
  }

  setProtocolVersion(version: string): void {
    if (this.isFirst) this.transport.setProtocolVersion?.(version);
  }

  async close(): Promise<void> {
    this.hub.leave(this);
    if (this.isFirst) await this.transport.close();
    this.ended();
  }

  ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** The oldest ones go where there are too many. */
function remember<K, V>(known: Map<K, V>, key: K, value: V): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > MAX_PENDING && oldest !== undefined) known.delete(oldest);
}
