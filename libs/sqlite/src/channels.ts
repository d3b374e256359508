/**
 * Messages between the processes that have a data file open, by channel. Messages are hints: the data itself is in the file. When some may
 * have been missed, because a process died or read none for long, every listener is called once without a message.
 */
import type { SqliteDatabase } from './database.js';
import { Peers } from './peers.js';

/** How often a process checks whether others have written, milliseconds: a safeguard if a message is lost in an unexpected way. */
const BACKSTOP_MS = 10_000;

/** @param message `undefined` when some may have been missed: there may have been messages, or none */
export type ChannelListener = (message: string | undefined) => void;

type Listener = { readonly call: ChannelListener };

/** The parts of channels. */
export interface SqliteChannelsDeps {
  readonly database: SqliteDatabase;
  readonly onError: (error: unknown) => void;
  /** Whether other processes can have the file open. */
  readonly isShared: boolean;
}

/** The channels of one data file. */
export class SqliteChannels {
  readonly #channels = new Map<string, Set<Listener>>();
  /** Absent if no other process can have the file open. */
  readonly #peers: Peers | undefined;
  #backstop: NodeJS.Timeout | undefined;

  constructor(private readonly deps: SqliteChannelsDeps) {
    const { database, onError, isShared } = deps;
    const onGap = (): void => this.#notifyAll();
    this.#peers = isShared ? new Peers({ database, onLine: (line) => this.#receive(line), onGap, onError }) : undefined;
  }

  /** Resolves once the processes receive each other's messages. @throws Error when no socket can be made */
  async start(): Promise<void> {
    if (this.#peers === undefined) return;
    await this.#peers.start();
    // Only later writes count.
    this.deps.database.wasWrittenByOthers();
    this.#backstop = setInterval(() => this.#lookForWrites(), BACKSTOP_MS).unref();
  }

  /**
   * No message that is published from now on is missed.
   *
   * @param call called in a later turn of the event loop than the one that publishes
   * @returns a function that ends it; further calls do nothing
   */
  add(name: string, call: ChannelListener): () => void {
    const listeners = this.#channels.get(name) ?? new Set<Listener>();
    this.#channels.set(name, listeners);
    const listener = { call };
    listeners.add(listener);
    return () => {
      if (listeners.delete(listener) && listeners.size === 0 && this.#channels.get(name) === listeners) this.#channels.delete(name);
    };
  }

  /** Called after the data of the message was written. Messages of a process arrive in order. */
  publish(name: string, message: string): void {
    if (this.#channels.has(name)) setImmediate(() => this.#notify(name, message));
    this.#peers?.send(JSON.stringify([name, message]));
  }

  /** Where this process listens for the others; nothing if there can be none. */
  get address(): string | undefined {
    return this.#peers?.address;
  }

  /** Whether the process that listened at this address has ended. */
  async isGone(address: string): Promise<boolean> {
    return (await this.#peers?.isGone(address)) ?? false;
  }

  async close(): Promise<void> {
    clearInterval(this.#backstop);
    this.#channels.clear();
    await this.#peers?.close();
  }

  #receive(line: string): void {
    const [name, message] = JSON.parse(line) as [string, string];
    this.#notify(name, message);
  }

  #lookForWrites(): void {
    try {
      if (this.deps.database.wasWrittenByOthers()) this.#notifyAll();
    } catch (error) {
      this.deps.onError(error);
    }
  }

  #notifyAll(): void {
    for (const name of Array.from(this.#channels.keys())) this.#notify(name, undefined);
  }

  #notify(name: string, message: string | undefined): void {
    const listeners = this.#channels.get(name);
    if (listeners === undefined) return;
    // A copy, because a listener may add another one; listeners that ended during the loop are not called.
    for (const listener of Array.from(listeners)) if (listeners.has(listener)) listener.call(message);
  }
}
