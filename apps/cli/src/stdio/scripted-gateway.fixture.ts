/** Connects the test over a bridge with a gateway that does what the test says. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';

import { Bridge } from './bridge.js';
import { GatewayConnection } from './gateway-connection.js';
import { readLines } from './lines.js';
import { Output } from './output.js';

/** A request as the gateway gets it. */
export interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Parsed; undefined without a body. */
  readonly message: { readonly id?: unknown; readonly method?: string } | undefined;
  readonly response: ServerResponse;
}

export type Handler = (received: Received) => void;

/** Any message, as far as tests look into it. */
export type ClientMessage = Readonly<Record<string, unknown>> & {
  readonly id?: unknown;
  readonly error?: { code: number; message: string };
};

export class ScriptedGateway {
  readonly received: Received[] = [];
  /** Lines that were logged. */
  readonly logged: string[] = [];
  readonly clientReceived: ClientMessage[] = [];
  /** When; milliseconds from some moment on. */
  readonly clientReceivedAt: number[] = [];
  readonly bridge: Bridge;
  readonly ended: Promise<void>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'longhaul-bridge-'));
  readonly #input = new PassThrough();
  #server: Server | undefined;

  private constructor(maxLineBytes: number) {
    const stdout = new PassThrough();
    let rest = '';
    stdout.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        this.clientReceived.push(JSON.parse(line) as ClientMessage);
        this.clientReceivedAt.push(performance.now());
      }
    });
    const log = (line: string): void => void this.logged.push(line);
    const connection = new GatewayConnection(this.#socket, 'http://localhost/mcp');
    this.bridge = new Bridge({ connection, output: new Output(stdout), log });
    this.ended = this.bridge.run(readLines(this.#input, maxLineBytes));
  }

  /** The gateway does not listen yet. */
  static create(maxLineBytes = 1_000_000): ScriptedGateway {
    return new ScriptedGateway(maxLineBytes);
  }

  /** Answers `initialize` and takes notifications; the handler gets all other messages. */
  async listen(handler: Handler): Promise<void> {
    await this.listenToAll((received) => (isHandshake(received) ? shakeHands(received) : handler(received)));
  }

  /** The handler gets every message. */
  async listenToAll(handler: Handler): Promise<void> {
    const server = createServer((request, response) => void this.#receive(request, response).then(handler));
    this.#server = server.listen(this.#socket);
    await once(server, 'listening');
  }

  /** As a kill would. */
  async die(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = undefined;
  }

  send(...messages: readonly unknown[]): void {
    for (const message of messages) {
      this.#input.write(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
      this.#input.write('\n');
    }
  }

  /** Begins a session. */
  open(): void {
    this.send(INITIALIZE, { jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  endInput(): void {
    this.#input.end();
  }

  async close(): Promise<void> {
    await this.bridge.close(0);
    this.endInput();
    await this.ended;
    await this.die();
    rmSync(this.#folder, { recursive: true });
  }

  get #socket(): string {
    return join(this.#folder, 'gateway.sock');
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<Received> {
    const body = await text(request);
    const { method, headers } = request;
    const received = { method, headers, response, message: body === '' ? undefined : (JSON.parse(body) as Received['message']) };
    this.received.push(received);
    return received;
  }
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

function isHandshake({ method, message }: Received): boolean {
  if (method === 'POST') return message?.method === 'initialize' || (message?.method !== undefined && message.id === undefined);
  return method === 'DELETE';
}

function shakeHands({ message, response }: Received): void {
  if (message?.method !== 'initialize') return void response.writeHead(message === undefined ? 200 : 202).end();
  response.setHeader('mcp-session-id', 's-1');
  answer(response, { jsonrpc: '2.0', id: message.id, result: { protocolVersion: '2025-11-25' } });
}

/** Answers with JSON. */
export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Begins an event stream, or continues it. @param id where it can be resumed */
export function stream(response: ServerResponse, { id, message }: { readonly id?: string; readonly message?: unknown } = {}): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 10\n\n');
  const data = message === undefined ? '' : JSON.stringify(message);
  response.write(`${id === undefined ? '' : `id: ${id}\n`}data: ${data}\n\n`);
}
