/**
 * One request: an SDK `Server` of its own on a transport that lives as long as the HTTP response. It
 * keeps nothing of the session; what it needs was read for this request.
 *
 * The method runs as the server's fallback handler. Handlers that the SDK validates itself tell wrong
 * params as -32603, which is the code for the server's own faults; and it would validate every result.
 */
import { ProtocolError } from '@longhaul/mcp-features';
import type { TaskId } from '@longhaul/tasks';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Logger } from 'pino';
import { failureOf, type RpcFailure } from '../errors.js';
import type { Exchange, Pushed } from '../methods/method.js';
import { serverInfo } from '../server-info.js';
import type { AnswerChannel, AnswerHead } from './answer-channel.js';
import { errorAnswer } from './messages.js';

/** Answers the request of an exchange. */
export type Answerer = (exchange: Exchange) => Promise<Result> | Result;

/** Building a validator costs more than the rest of an exchange, so all of them share one. */
const serverOptions = { capabilities: {}, jsonSchemaValidator: new AjvJsonSchemaValidator() };

/** The transport of one request, and what ends it early. */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Called when it becomes known that the answer is that of a task. */
  onBound: () => void = () => undefined;
  isCancelled = false;
  #taskId: TaskId | undefined;
  readonly #whenOver = new Set<() => void>();
  #isOver = false;

  constructor(
    readonly requestId: RequestId,
    readonly response: AnswerChannel,
    /** What the HTTP response of the answer is to look like. */
    public head: AnswerHead = {},
  ) {}

  /** The task that the answer is of. Without one it is made in this process, and nowhere else. */
  get taskId(): TaskId | undefined {
    return this.#taskId;
  }

  /** Calls the listener once, when the exchange has its answer or will get none. @returns what keeps it from being called */
  whenOver(listener: () => void): () => void {
    if (this.#isOver) listener();
    else this.#whenOver.add(listener);
    return () => void this.#whenOver.delete(listener);
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message) this.push(message);
    else this.#settle(message, this.head);
    return Promise.resolve();
  }

  /** Ends the work without an answer, because nobody is there to read one. */
  close(): Promise<void> {
    // After the answer nothing runs any more, and to have the SDK find that out costs it an Error with a stack.
    if (!this.#isOver) {
      this.onclose?.();
      this.#end();
    }
    return Promise.resolve();
  }

  bind(taskId: TaskId): void {
    this.#taskId = taskId;
    this.response.bind(this.requestId, taskId);
    this.onBound();
  }

  /**
   * A task's requests are known to whoever goes on with the stream, and may go out once only. News are lost
   * unless the one who took them sends them, and so is what a feature asks that runs in this process.
   */
  push(message: object): void {
    if (!this.#isOver) this.response.push(message, 'id' in message && this.#taskId !== undefined);
  }

  /** There is no other gateway that could answer, so the client comes back for what this one still sends. */
  closeStream(): void {
    if (!this.#isOver) this.response.sendElsewhere();
  }

  /** Ends the work with an error as its answer. */
  fail(failure: RpcFailure): void {
    if (this.#isOver) return;
    this.onclose?.();
    this.#settle(errorAnswer(this.requestId, failure), failure);
  }

  /** Ends the work because the client cancelled it: there is no answer. */
  cancel(): void {
    this.isCancelled = true;
    if (this.#isOver) return;
    this.onclose?.();
    this.response.withdraw(this.#taskId !== undefined);
    this.#end();
  }

  /** Ends the work as if the client had cancelled it, because it has been answered that there is no place for it. */
  refuse(): void {
    this.isCancelled = true;
    void this.close();
  }

  #settle(message: object, head: AnswerHead): void {
    if (this.#isOver) return;
    this.response.answer(message, head, this.#taskId !== undefined);
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    for (const listener of this.#whenOver) listener();
    this.#whenOver.clear();
  }
}

/** Has the request of the transport answered. Everything that can go wrong becomes the answer. */
export async function runExchange(transport: ExchangeTransport, method: string, answerer: Answerer, logger: Logger): Promise<void> {
  const server = new Server(serverInfo(), serverOptions);
  server.removeRequestHandler(method);
  server.fallbackRequestHandler = async (_request, { signal }) => {
    try {
      return await answerer(exchangeOn(transport, signal));
    } catch (error) {
      if (signal.aborted) throw error; // Nobody waits for it any more.
      const failure = failureOf(error, logger);
      transport.head = failure;
      throw new ProtocolError(failure.code, failure.message, failure.data);
    }
  };
  server.onerror = (error) => transport.fail(failureOf(error, logger));
  await server.connect(transport);
  // The params stay in the closure of the answerer: the SDK need not parse them.
  transport.onmessage?.({ jsonrpc: '2.0', id: transport.requestId, method });
}

function exchangeOn(transport: ExchangeTransport, signal: AbortSignal): Exchange {
  return {
    signal,
    get isCancelled() {
      return transport.isCancelled;
    },
    push(message: Pushed) {
      if (!signal.aborted) transport.push({ jsonrpc: '2.0', ...message });
    },
    closeStream: () => transport.closeStream(),
    whenOver: (listener) => transport.whenOver(listener),
    stream: {
      get claimant() {
        return transport.response.claimant;
      },
      hasSent: (id) => transport.response.hasSent(id),
      bind: (taskId) => transport.bind(taskId),
    },
  };
}

/**
 * Answers a request whose method runs already. Such a method cannot be cancelled and sends nothing
 * before its answer, so there is nothing that a server of the SDK would do for it.
 */
export async function sendAnswer(id: RequestId, running: Promise<Result>, response: AnswerChannel, logger: Logger): Promise<void> {
  try {
    response.answer({ jsonrpc: '2.0', id, result: await running }, {}, false);
  } catch (error) {
    const failure = failureOf(error, logger);
    response.answer(errorAnswer(id, failure), failure, false);
  }
}
