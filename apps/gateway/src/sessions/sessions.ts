/** Wraps the store of sessions: one wrapper keeps sessions for a moment, the other withholds those of revoked owners. */
import type { NewSession, Session, SessionStore } from '@longhaul/sessions/gateway';
import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';

const MAX_KEPT = 10_000;

/** The options of kept sessions. */
export interface KeptSessionsOptions {
  /** How long a session is kept. 0: not at all. */
  readonly ms: number;
  /** Makes every gateway forget a session that has changed, including this one. The end of a session has a separate message. */
  readonly announce: (id: string) => Promise<void>;
}

/**
 * Keeps sessions for a moment, so that successive requests do not each read theirs. A gateway that misses the message of a change uses the
 * old session for at most that moment.
 */
export class KeptSessions implements SessionStore {
  /** Includes sessions that are being read: simultaneous requests share one read. */
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

  async noteTasks(id: string): Promise<void> {
    await this.store.noteTasks(id);
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

  /** The next request reads it again. */
  forget(id: string): void {
    this.#kept.delete(id);
  }

  forgetAll(): void {
    this.#kept.clear();
  }
}

/** Knows which sessions and tasks are withheld from revoked owners. */
export interface Withholding {
  /** Everything that the owner made before this time is withheld, epoch milliseconds; nothing for nearly all owners. */
  withheldUntil(owner: string): number | undefined;
}

/** Sessions, without those that were opened before their owner was revoked: these end when a request names them. */
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
    noteTasks: (id) => sessions.noteTasks(id),
    shutDown: (id) => sessions.shutDown(id),
    end: (id) => sessions.end(id),
  };
}
