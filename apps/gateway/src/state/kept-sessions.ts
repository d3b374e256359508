/**
 * Keeps sessions for a moment, so that requests that follow each other do not each read theirs. All gateways hear of a change
 * at once; one that misses the message goes by what was for no longer than that moment.
 */
import type { Signals } from '@longhaul/sessions';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';
import type { NewSession, Session, SessionStore } from './session.js';

const KEPT_MS = 1_000;
const MAX_KEPT = 10_000;

/** What changes of sessions are announced by. */
export interface KeptSessionsOptions {
  readonly signals: Signals;
  /** On which gateways announce the id of a session that has changed or ended. */
  readonly channel: string;
  /** Without use, a session ends after that: one that is kept must be read in time to count as used. */
  readonly idleMs: number;
}

export class KeptSessions implements SessionStore {
  /** Those that are on their way too: requests that come at once share one look. */
  readonly #kept: LRUCache<string, Promise<Session | undefined>>;
  #listening: 'no' | 'begins' | 'yes' = 'no';

  constructor(
    private readonly store: SessionStore,
    private readonly options: KeptSessionsOptions,
  ) {
    this.#kept = new LRUCache({ max: MAX_KEPT, ttl: Math.ceil(Math.min(KEPT_MS, options.idleMs / 4)) });
  }

  create(session: NewSession): Promise<void> {
    return this.store.create(session);
  }

  load(id: string): Promise<Session | undefined> {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const loading = this.store.load(id);
    // Nothing is kept whose change could go unheard.
    if (this.#listening === 'yes') this.#keep(id, loading);
    else if (this.#listening === 'no') void this.#listen();
    return loading;
  }

  touch(id: string): Promise<boolean> {
    return this.store.touch(id);
  }

  setLogLevel(id: string, level: LoggingLevel): Promise<void> {
    return this.#change(id, () => this.store.setLogLevel(id, level));
  }

  shutDown(id: string): Promise<void> {
    return this.#change(id, () => this.store.shutDown(id));
  }

  end(id: string): Promise<boolean> {
    return this.#change(id, () => this.store.end(id));
  }

  #keep(id: string, loading: Promise<Session | undefined>): void {
    this.#kept.set(id, loading);
    const forget = (): void => {
      if (this.#kept.peek(id) === loading) this.#kept.delete(id);
    };
    loading.then((session) => session ?? forget(), forget);
  }

  async #change<T>(id: string, change: () => Promise<T>): Promise<T> {
    const { signals, channel } = this.options;
    try {
      return await change();
    } finally {
      this.#kept.delete(id);
      // Others learn it a moment later where it cannot be announced.
      await signals.publish(channel, id).catch(() => undefined);
    }
  }

  async #listen(): Promise<void> {
    const { signals, channel } = this.options;
    this.#listening = 'begins';
    try {
      await signals.subscribe(channel, (id) => (id === undefined ? this.#kept.clear() : this.#kept.delete(id)));
      this.#listening = 'yes';
    } catch {
      this.#listening = 'no'; // The store is away: the next request tries again.
    }
  }
}
