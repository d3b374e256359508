/**
 * Lines between the processes that have a data file open. Each has a socket of its own and one connection to each other one, so
 * that a process which computes or is stopped holds up no messages but its own. The file lists them in the order in which they
 * came: the later of two connects to the earlier.
 */
import { chmodSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { SqliteDatabase } from './database.js';
import { isSocketOf, newSocketPath } from './socket-path.js';

/** The list of the processes. */
export const PEERS = 'CREATE TABLE peers (id INTEGER PRIMARY KEY AUTOINCREMENT, address TEXT NOT NULL UNIQUE) STRICT';

/** An empty line, from which on the other side gets everything; it may have missed what was before. */
const WELCOME = '';
/** How long a process that starts waits to be welcomed. One that computes, or is stopped, does so later, and what it sent meanwhile is missed. */
const WELCOME_LIMIT_MS = 100;
const RETRY_MS = 1_000;
/** A process that takes nothing is cut off when so much waits for it. It connects again once it goes on. */
const MAX_WAITING_BYTES = 16 * 2 ** 20;

export interface PeersDeps {
  readonly database: SqliteDatabase;
  readonly onLine: (line: string) => void;
  /** Lines of another process may have been missed. */
  readonly onGap: () => void;
  readonly onError: (error: unknown) => void;
}

/** Sockets that this process listens at. One that ends before it has closed them, such as while it starts, takes them with it. */
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

  /** Resolves once every other process sends this one what it sends, except those that are busy for long. */
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

  /** Sends a line, which is not empty, to every other process. */
  send(line: string): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength > MAX_WAITING_BYTES) socket.destroy();
      else socket.write(`${line}\n`);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#address !== undefined) await this.#forget(this.#address);
    // What a slow one has not taken is lost to it; it learns that by the end of the connection.
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  /**
   * Connects to an earlier process, and again when the connection breaks. Who does not listen is dead, and is struck off.
   *
   * @param isAgain there was no connection for a while, in which it was sent nothing
   */
  async #connect(address: string, isAgain = false): Promise<void> {
    // A copy lists processes that have the original open.
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

  /** @returns resolves when the other side sends what it sends to all, or is gone */
  #join(socket: Socket): Promise<void> {
    const { promise: welcomed, resolve } = Promise.withResolvers<void>();
    this.#sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = text.split('\n');
      // Added to what was there, and looked through once only.
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
      // It may have died after it wrote and before it said so.
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
      // Meanwhile the file may have been closed; the next process finds it again.
      if (!this.#closed) onError(error);
    }
  }
}

function isNobody(error: unknown): boolean {
  return hasCode(error, 'ECONNREFUSED', 'ENOENT');
}

/** The other process ends just now, or is stopped and has many that wait for it. */
function isPassing(error: unknown): boolean {
  return hasCode(error, 'ECONNRESET', 'EAGAIN', 'EPIPE');
}

function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
