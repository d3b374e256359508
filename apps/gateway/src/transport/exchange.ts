/**
 * One request: an SDK `Server` of its own on a transport that lives as long as the HTTP response. It
 * keeps nothing of the session; what it needs was read for this request.
 *
 * The method runs as the server's fallback handler. Handlers that the SDK validates itself tell wrong
 * params as -32603, which is the code for the server's own faults; and it would validate every result.
 */
import { ProtocolError } from '@longhaul/mcp-features';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId, Result } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { Logger } from 'pino';
import { failureOf, type RpcFailure } from '../errors.js';
import type { Exchange, Pushed } from '../methods/method.js';
import { SERVER_INFO } from '../server-info.js';
import type { AnswerHead, PostResponse } from './post-response.js';

/** Answers the request of an exchange. */
export type Answerer = (exchange: Exchange) => Promise<Result> | Result;

/** Building a validator costs more than the rest of an exchange, so all of them share one. */
const serverOptions = { capabilities: {}, jsonSchemaValidator: new AjvJsonSchemaValidator() };

/** The transport of one request, and what ends it early. */
export class ExchangeTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  isCancelled = false;
  #isSettled = false;

  constructor(
    readonly requestId: RequestId,
    private readonly response: PostResponse,
    /** What the HTTP response of the answer is to look like. */
    public head: AnswerHead = {},
  ) {}

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
    if (!this.#isSettled) this.onclose?.();
    return Promise.resolve();
  }

  push(message: object): void {
    if (!this.#isSettled) this.response.push(message);
  }

  /** Ends the work with an error as its answer. */
  fail(failure: RpcFailure): void {
    void this.close();
    this.#settle(errorAnswer(this.requestId, failure), failure);
  }

  /** Ends the work because the client cancelled it: there is no answer. */
  cancel(): void {
    this.isCancelled = true;
    void this.close();
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.response.withdraw();
  }

  #settle(message: object, head: AnswerHead): void {
    if (this.#isSettled) return;
    this.response.answer(message, head);
    this.#isSettled = true;
  }
}

/** Has the request of the transport answered. Everything that can go wrong becomes the answer. */
export async function runExchange(transport: ExchangeTransport, method: string, answerer: Answerer, logger: Logger): Promise<void> {
  const server = new Server(SERVER_INFO, serverOptions);
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
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's server is no EventTarget
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
  };
}

/**
 * Answers a request whose method runs already. Such a method cannot be cancelled and sends nothing
 * before its answer, so there is nothing that a server of the SDK would do for it.
 */
export async function sendAnswer(id: RequestId, running: Promise<Result>, response: PostResponse, logger: Logger): Promise<void> {
  try {
    response.answer({ jsonrpc: '2.0', id, result: await running });
  } catch (error) {
    const failure = failureOf(error, logger);
    response.answer(errorAnswer(id, failure), failure);
  }
}

function errorAnswer(id: RequestId, { code, message, data }: RpcFailure): object {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}
