/**
 * Lines between the processes that have a data file open. Each process has a socket of its own and one connection to each other process, so
 * that a process that computes or is stopped delays only its own messages. The file lists them in the order of arrival: the later process
 * connects to the earlier one.
 */
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { SqliteDatabase } from './database.js';
import { isSocketOf, newSocketPath } from './socket-path.js';

/** The list of the processes. */
export const PEERS = 'CREATE TABLE peers (id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL UNIQUE) STRICT';

/** An empty line: from here on the other side receives everything; it may have missed earlier lines. */
const WELCOME = '';
/**
 * How long a starting process waits for the welcome. A process that computes, or is stopped, welcomes later, and its messages until then
 * are missed.
 */
const WELCOME_LIMIT_MS = 100;
const RETRY_MS = 1_000;
/** A process that does not read is disconnected when this much waits for it. It connects again when it continues. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;

export interface PeersDeps {
  readonly database: SqliteDatabase;
  readonly onLine: (line: string) => void;
  /** Lines of another process may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/** The sockets on which this process listens. If a process ends before it has closed them, such as during its start, they are removed. */
const listening = new Set<string>();
process.once('exit', () => {
  for (const address of listening) rmSync(address, { force: true });
});

/** The connections of one process. */
export class Peers {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #address: string | undefined;
  #closed = false;

  constructor(private readonly deps: PeersDeps) {
    this.#server = createServer((socket) => {
      void this.#join(socket);
      socket.write(`${WELCOME}\n`);
    });
  }

  /** Resolves once every other process sends its lines to this one, except processes that stay busy for long. */
  async start(): Promise<void> {
    const { database } = this.deps;
    const address = newSocketPath(database.path);
    this.#server.listen(address);
    listening.add(address);
    this.#server.once('close', () => listening.delete(address));
    await once(this.#server, 'listening');
    // Without a listener an 'error' event, such as of too many open files, would end the process.
    this.#server.on('error', this.deps.onError);
    if (process.platform !== 'win32') chmodSync(address, 0o600);
    const earlier = await database.transaction(() => {
      const rows = database.all('SELECT address FROM peers ORDER BY id') as { address: string }[];
      database.run('INSERT INTO peers (address) VALUES (?)', address);
      return rows;
    });
    this.#address = address;
    await Promise.all(earlier.map((peer) => this.#connect(peer.address)));
  }

  /** Sends a line, which must not be empty, to every other process. */
  send(line: string): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
      else socket.write(`${line}\n`);
    }
  }

  /** Where this process listens; nothing before it has started. */
  get address(): string | undefined {
    return this.#address;
  }

  /** Whether nothing listens at the address of another process, so that the process has ended. It is removed from the list then. */
  async isGone(address: string): Promise<boolean> {
    if (!isSocketOf(this.deps.database.path, address)) return true;
    const socket = connect(address);
    try {
      await once(socket, 'connect');
      return false;
    } catch (error) {
      if (!isNobody(error)) return false;
      await this.#forget(address);
      return true;
    } finally {
      socket.destroy();
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#address !== undefined) await this.#forget(this.#address);
    // A slow process loses the lines that it has not read; the end of the connection shows it that.
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /**
   * Connects to an earlier process, and again when the connection breaks. A process that does not listen is dead, and is removed from the
   * list.
   *
   * @param isAgain there was no connection for a while, and lines of that time are lost
   */
  async #connect(address: string, isAgain = false): Promise<void> {
    // A copied file lists processes that have the original open.
    if (!isSocketOf(this.deps.database.path, address)) return this.#forget(address);
    const socket = connect(address);
    try {
      await once(socket, 'connect');
    } catch (error) {
      if (this.#closed) return;
      if (isNobody(error)) await this.#forget(address);
      else if (isPassing(error)) setTimeout(() => void this.#connect(address, true), RETRY_MS).unref();
      else this.deps.onError(error);
      return;
    }
    if (this.#closed) {
      socket.destroy();
      return;
    }
    const welcome = this.#join(socket);
    if (isAgain) socket.write(`${WELCOME}\n`);
    socket.once('close', () => {
      if (!this.#closed) void this.#connect(address, true);
    });
    const limit = AbortSignal.timeout(WELCOME_LIMIT_MS);
    await Promise.race([welcome, once(limit, 'abort')]);
  }

  /** @returns a promise that resolves when the other side sends all its lines to this one, or has ended */
  #join(socket: Socket): Promise<void> {
    const { promise: welcomed, resolve } = Promise.withResolvers<void>();
    this.#sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.split('\n');
      // The rest of the last chunk comes first; each character is searched only once.
      lines[0] = rest + (lines[0] ?? '');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_WAITING_BYTES) socket.destroy();
      for (const line of lines) {
        if (this.#closed) return;
        if (line !== WELCOME) this.deps.onLine(line);
        else {
          resolve();
          this.deps.onGap();
        }
      }
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      resolve();
      // The process may have died after a write and before its message.
      if (!this.#closed) this.deps.onGap();
    });
    return welcomed;
  }

  async #forget(address: string): Promise<void> {
    const { database, onError } = this.deps;
    try {
      await database.transaction(() => database.run('DELETE FROM peers WHERE address = ?', address));
      if (process.platform !== 'win32' && isSocketOf(database.path, address)) rmSync(address, { force: true });
    } catch (error) {
      // The file may have been closed by now; the next process will find the dead one again.
      if (!this.#closed) onError(error);
    }
  }
}

function isNobody(error: unknown): boolean {
  return hasCode(error, 'ECONNREFUSED', 'ENOENT');
}

/** The other process is just ending, or is stopped and has many connections waiting. */
function isPassing(error: unknown): boolean {
  return hasCode(error, 'ECONNRESET', 'EAGAIN', 'EPIPE');
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
