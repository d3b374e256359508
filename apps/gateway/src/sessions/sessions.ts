import type { NewSession, Session, SessionStore } from '@longhaul/sessions/gateway';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';

const MAX_KEPT = 10_000;

/** How sessions are kept. */
export interface KeptSessionsOptions {
  /** For how long one is kept. With 0, none is. */
  readonly ms: number;
  /** Has every gateway forget a session that has changed, this one too. The end of a session has a message of its own. */
  readonly announce: (id: string) => Promise<void>;
}

/**
 * Keeps sessions for a moment, so that requests that follow each other do not each read theirs. A gateway that misses the message
 * of a change goes by what was for no longer than that moment.
 */
export class KeptSessions implements SessionStore {
  /** Those that are on their way too: requests that come at once share one look. */
  readonly #kept: LRUCache<string, Promise<Session | undefined>>;

  constructor(
    private readonly store: SessionStore,
    private readonly options: KeptSessionsOptions,
  ) {
    this.#kept = new LRUCache({ max: MAX_KEPT, ttl: options.ms });
  }

  create(session: NewSession): Promise<void> {
    return this.store.create(session);
  }

  load(id: string): Promise<Session | undefined> {
    const kept = this.#kept.get(id);
    if (kept !== undefined) return kept;
    const loading = this.store.load(id);
    if (this.options.ms === 0) return loading;
    this.#kept.set(id, loading);
    const forget = (): void => {
      if (this.#kept.peek(id) === loading) this.forget(id);
    };
    loading.then((session) => session ?? forget(), forget);
    return loading;
  }

  touch(id: string): Promise<boolean> {
    return this.store.touch(id);
  }

  async setLogLevel(id: string, level: LoggingLevel): Promise<void> {
    await this.store.setLogLevel(id, level);
    await this.options.announce(id);
  }

  async shutDown(id: string): Promise<void> {
    await this.store.shutDown(id);
    await this.options.announce(id);
  }

  async end(id: string): Promise<boolean> {
    const hasEnded = await this.store.end(id);
    this.forget(id);
    return hasEnded;
  }

  /** The next request reads it. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}

/** Knows what is withheld from owners who were revoked. */
export interface Withholding {
  /** Until when what the owner has made is withheld from it, epoch milliseconds; nothing for nearly all owners. */
  withheldUntil(owner: string): number | undefined;
}

/** Sessions, without those that were opened before their owner was revoked: these end when somebody comes for them. */
export function withheldSessions(sessions: SessionStore, revoked: Withholding): SessionStore {
  const isWithheld = ({ owner, openedAt = -Infinity }: Session): boolean => openedAt <= (revoked.withheldUntil(owner) ?? -Infinity);
  return {
    create: (session) => sessions.create(session),
    async load(id) {
      const session = await sessions.load(id);
      if (session === undefined || !isWithheld(session)) return session;
      await sessions.end(id);
      return undefined;
    },
    touch: (id) => sessions.touch(id),
    setLogLevel: (id, level) => sessions.setLogLevel(id, level),
    shutDown: (id) => sessions.shutDown(id),
    end: (id) => sessions.end(id),
  };
}
