/**
 * Manages all subscriptions of a process, over one connection. Listeners of a channel are counted: the first one subscribes, the last one
 * unsubscribes. Redis forgets the subscriptions of a broken connection, so after each reconnect they are made again. Then every listener is
 * called once without a message, because messages may have been missed in between.
 */
import { Batch } from './batch.js';
import type { RedisClient } from './client.js';
import { isAway } from './fault.js';

/** How long a channel without listeners stays subscribed; its messages are ignored. */
const UNSUBSCRIBE_DELAY_MS = 100;

/** @param message `undefined` after a reconnect: there may have been messages, or none */
export type ChannelListener = (message: string | undefined) => void;

interface Listener {
  readonly call: ChannelListener;
  /** Its position among the listeners of its channel; -1 when it was ended. */
  at: number;
}

/** Most channels have one listener, and a process has several channels for each of its clients. */
interface Channel {
  readonly listeners: Listener[];
  /** Settles with the reply to SUBSCRIBE. */
  readonly subscribed: Promise<unknown>;
}

/** Subscriptions over a dedicated connection. */
export class RedisSubscriptions {
  readonly #channels = new Map<string, Channel>();
  readonly #left: Batch<string>;

  constructor(
    private readonly client: RedisClient,
    private readonly onError: (error: unknown) => void,
  ) {
    this.#left = new Batch(
      UNSUBSCRIBE_DELAY_MS,
      (names) => this.#unsubscribe(names),
      (error) => this.#report(error),
    );
    client.on('message', (name: string, message: string) => this.#notify(name, message));
    client.on('ready', () => void this.#subscribeAgain());
  }

  /**
   * Resolves once Redis has confirmed the subscription: no message after that is missed. Rejects with the error of ioredis.
   *
   * @returns a function that ends it; further calls do nothing
   */
  async add(name: string, call: ChannelListener): Promise<() => void> {
    const listener: Listener = { call, at: 0 };
    const channel = this.#join(name, listener);
    const remove = (): void => {
      if (takeOut(channel.listeners, listener) && channel.listeners.length === 0) this.#leave(name, channel);
    };
    try {
      await channel.subscribed;
    } catch (error) {
      remove();
      if (this.#channels.get(name) === channel) this.#channels.delete(name); // The next listener tries again.
      throw error;
    }
    return remove;
  }

  #join(name: string, listener: Listener): Channel {
    const known = this.#channels.get(name);
    if (known !== undefined) {
      listener.at = known.listeners.push(listener) - 1;
      return known;
    }
    const channel = { listeners: [listener], subscribed: this.client.subscribe(name) };
    this.#channels.set(name, channel);
    return channel;
  }

  #leave(name: string, channel: Channel): void {
    if (this.#channels.get(name) === channel) this.#left.add(name);
  }

  /** UNSUBSCRIBE uses the same connection, so a SUBSCRIBE for a later listener comes after it. */
  async #unsubscribe(left: readonly string[]): Promise<void> {
    const names = left.filter((name) => this.#channels.get(name)?.listeners.length === 0);
    for (const name of names) this.#channels.delete(name);
    // If it cannot be sent the connection is down, and Redis has forgotten the subscriptions anyway.
    if (names.length > 0) await this.client.unsubscribe(...names);
  }

  async #subscribeAgain(): Promise<void> {
    const names = [...this.#channels.keys()];
    if (names.length === 0) return;
    try {
      await this.client.subscribe(...names);
    } catch (error) {
      this.#report(error); // The connection broke again; the next 'ready' tries again.
      return;
    }
    for (const name of names) this.#notify(name, undefined);
  }

  #notify(name: string, message: string | undefined): void {
    const channel = this.#channels.get(name);
    if (channel === undefined) return;
    // A copy, because a listener may subscribe; listeners that ended during the loop are not called.
    for (const listener of channel.listeners.slice()) if (listener.at >= 0) this.#call(listener.call, message);
  }

  /** Any process may publish a message: a listener that fails on it ends neither the others nor the process. */
  #call(listener: ChannelListener, message: string | undefined): void {
    try {
      listener(message);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (!isAway(error)) this.onError(error);
  }
}

/** The last listener takes its position. @returns whether it was there */
function takeOut(listeners: Listener[], listener: Listener): boolean {
  const { at } = listener;
  const last = listeners.at(-1);
  if (at < 0 || last === undefined) return false;
  listeners[at] = last;
  last.at = at;
  listeners.pop();
  listener.at = -1;
  return true;
}
