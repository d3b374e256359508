/**
 * Limits the memory for slow clients: answers that they do not read, and bodies that they do not finish. A connection whose client does not
 * read for some time is closed, and the memory of all connections together stays within a limit.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '@longhaul/runtime/network-of';
import type { RareWarning } from '@longhaul/runtime/rare-warnings';
import { excessOf } from './excess-of.js';

const SWEEP_MS = 250;
/** The most bytes that can arrive with the headers of a request, because Node reads them together. */
const READ_AT_ONCE_BYTES = 64 * 1024;

const BUSY = 'HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\nconnection: close\r\ncontent-length: 0\r\n\r\n';

/** The limits for slow clients. */
export interface SlowLimits {
  /** How long written data may wait for the client to read it, milliseconds. */
  readonly unreadMs: number;
  /** Bytes of unread answers and unfinished bodies, of all connections together. */
  readonly heldBytes: number;
}

interface IncomingBody {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The connection's bytes before it. */
  readonly bytesBefore: number;
  readonly since: number;
}

/** A connection, in the state of the last check. */
interface Connection {
  readonly socket: Socket;
  readonly network: string;
  body: IncomingBody | undefined;
  /** Unfinished answers, oldest first. Those behind the first one keep their data until the ones before have ended. */
  readonly answers: Set<ServerResponse>;
  /** Bytes that have left the process. */
  leftBytes: number;
  /** When that number changed last, or nothing was waiting. */
  movedAt: number;
}

/** Checks a server's connections while it listens. */
export class SlowConnections {
  readonly #connections = new Map<Socket, Connection>();

  constructor(
    server: Server,
    private readonly limits: SlowLimits,
    private readonly warn: RareWarning,
  ) {
    server.on('connection', (socket: Socket) => {
      const network = networkOf(socket.remoteAddress);
      const answers = new Set<ServerResponse>();
      this.#connections.set(socket, { socket, network, body: undefined, answers, leftBytes: 0, movedAt: performance.now() });
      socket.on('close', () => {
        this.#connections.delete(socket);
        closeWaiting(answers);
      });
    });
    server.prependListener('request', (request, response) => {
      const answers = this.#connections.get(request.socket)?.answers.add(response);
      response.on('close', () => answers?.delete(response));
    });
    server.on('listening', () => {
      const sweep = setInterval(() => this.#sweep(performance.now()), SWEEP_MS).unref();
      server.once('close', () => clearInterval(sweep));
    });
  }

  /** From now on the body of the request is counted, until it is complete or the answer begins. */
  bodyBegins(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    const bytesBefore = Math.max(0, request.socket.bytesRead - READ_AT_ONCE_BYTES);
    connection.body = { request, response, bytesBefore, since: performance.now() };
  }

  #sweep(now: number): void {
    const held = [];
    for (const connection of this.#connections.values()) {
      const { network } = connection;
      if (this.#isStuck(connection, now)) {
        this.#cut(connection, 'A client did not read its answer: its connection was ended.');
        continue;
      }
      const unreadBytes = unreadBytesOf(connection);
      const bytes = unreadBytes + bodyBytes(connection);
      if (bytes === 0) continue;
      held.push({ connection, network, bytes, since: unreadBytes > 0 ? connection.movedAt : (connection.body?.since ?? now) });
    }
    for (const { connection } of excessOf(held, this.limits.heldBytes))
      this.#cut(connection, 'Slow clients made the gateway hold too much: connections were ended.');
  }

  #isStuck(connection: Connection, now: number): boolean {
    const { bytesWritten, writableLength } = connection.socket;
    const leftBytes = bytesWritten - writableLength;
    const isWaiting = writableLength > 0 && leftBytes === connection.leftBytes;
    connection.leftBytes = leftBytes;
    if (!isWaiting) connection.movedAt = now;
    return now - connection.movedAt > this.limits.unreadMs;
  }

  #cut(connection: Connection, why: string): void {
    const { socket, network, body, answers } = connection;
    this.#connections.delete(socket);
    this.warn(why, { network });
    // A client would take it for the answer to the first of several requests.
    const canAnswer = body?.response.headersSent === false && answers.size === 1 && socket.writableLength === 0;
    if (!canAnswer) return void socket.destroy();
    socket.write(BUSY);
    socket.destroySoon();
  }
}

/** Node before version 24 closes only the first answer, and those behind it would wait for ever. */
function closeWaiting(answers: ReadonlySet<ServerResponse>): void {
  for (const answer of Array.from(answers)) {
    if (answer.socket !== null) continue;
    answer.destroy();
    answer.emit('close');
  }
}

/** Bytes that are written, and have not left the process. */
function unreadBytesOf({ socket, answers }: Connection): number {
  let bytes = socket.writableLength;
  for (const answer of answers) if (answer.socket === null) bytes += answer.writableLength;
  return bytes;
}

/** The received bytes of an incomplete body. */
function bodyBytes(connection: Connection): number {
  const { body, socket } = connection;
  if (body === undefined) return 0;
  if (!body.request.complete && !body.request.destroyed && !body.response.headersSent) return socket.bytesRead - body.bytesBefore;
  connection.body = undefined;
  return 0;
}
