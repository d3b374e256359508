/**
 * Names the keys and channels of sessions in Redis. The names are persisted, so they are frozen: a new meaning gets a new name. All keys of
 * one script share a hash tag (`{…}`), so that everything works on a Redis Cluster too.
 */
import { createHash } from 'node:crypto';
import type { RedisKeys } from './tasks.js';

/** Builds the names under the prefix of the tasks' keys. */
export class SessionKeys {
  constructor(private readonly tasks: Pick<RedisKeys, 'prefix' | 'ofOwner'>) {}

  /**
   * Hash: the size of the values of the account's sessions, bytes, by the key of the session's own count, with the sum as `total`. TTL 31
   * days from the last value set.
   */
  sessionsOf(owner: string): string {
    return `${this.tasks.ofOwner(owner)}:sessions`;
  }

  /** Hash: the values that features remember for a session. TTL as the session, or 24 hours from the first value. */
  values(session: string): string {
    return `${this.tasks.prefix}:session-state:{${createHash('sha256').update(session).digest('hex').slice(0, 32)}}`;
  }

  /** String: how many bytes those names and values have. TTL as the values. */
  valuesSize(session: string): string {
    return `${this.values(session)}:size`;
  }

  /** The keys of the open sessions of an account with that hash. */
  placesOf(accountHash: string) {
    const sessions = `${this.tasks.prefix}:sessions:{${accountHash}}`;
    return {
      /** Sorted set: its open sessions by when they expire without use, by the clock of Redis. TTL the idle time. */
      sessions,
      /**
       * Hash: when each of them was opened, by the clock of Redis; as `account`, the account itself if a token stands for it. TTL as the
       * set.
       */
      opened: `${sessions}:opened`,
    };
  }

  /** String: the hash of the account that a session counts under. TTL as the session. */
  placeOf(sessionId: string): string {
    return `${this.tasks.prefix}:session:{${sessionId}}:account`;
  }

  /**
   * Sorted set: accounts that tokens stand for, by when the last of their sessions expires without use, by the clock of Redis. TTL the idle
   * time.
   */
  accountsWithSessions(): string {
    return `${this.tasks.prefix}:session-accounts`;
  }

  /** Set: the names of the owner's collections of records. Permanent for known callers, gone while empty; otherwise TTL as the records. */
  collections(owner: string): string {
    return `${this.tasks.ofOwner(owner)}:collections`;
  }

  /**
   * The keys of a collection of an owner's records. Permanent for known callers, gone when the last record is removed; otherwise TTL the
   * idle time of the session, or 31 days with a caller's secret, from the last use.
   */
  collection(owner: string, name: string) {
    const own = `${this.tasks.ofOwner(owner)}:records:${name}`;
    return {
      /** Hash: the epoch of the collection, the number of its last change, and the last change with forgotten removals. */
      meta: `${own}:meta`,
      /** Hash: the records, by id. */
      records: own,
      /** Sorted set: ids by the number of the last change. */
      changes: `${own}:changes`,
      /** Sorted set: ids of removed records that are still in that set. */
      removed: `${own}:removed`,
      /** String: the size of the records, bytes. */
      bytes: `${own}:bytes`,
      /** String: the update that has the turn, after it has lost several times. TTL half a second. */
      turn: `${own}:turn`,
      names: this.collections(owner),
    };
  }

  /** The keys of the reports of processes. */
  processReports() {
    const reports = `${this.tasks.prefix}:{processes}:reports`;
    return {
      /** Sorted set: ids of processes by when their reports are forgotten, by the clock of Redis. TTL the time of a report. */
      expiring: `${reports}:expiring`,
      /** Hash: the report of each. TTL as the set. */
      reports,
    };
  }

  /** Hash: who holds it, since which epoch, until when, what was written, and when another process has wanted it. TTL as its holder says. */
  hold(name: string): string {
    return `${this.tasks.prefix}:hold:{${createHash('sha256').update(name).digest('hex').slice(0, 32)}}`;
  }

  /** Hash: which process has how many places of a limit, how many it wants, when it had one, and until when it has them. TTL as they say. */
  allotments(name: string): string {
    return `${this.tasks.prefix}:allotments:{${createHash('sha256').update(name).digest('hex').slice(0, 32)}}`;
  }

  /** Channel: notifications for the clients of an owner, as JSON. Channels hold nothing. */
  notificationsOf(owner: string): string {
    return `${this.tasks.ofOwner(owner)}:news`;
  }

  /** Channel: notifications for the client of a session, as JSON. Channels hold nothing. */
  notifications(sessionId: string): string {
    return `${this.tasks.prefix}:session:{${sessionId}}:news`;
  }

  /** Channel: notifications for the clients of all sessions, as JSON. Channels hold nothing. */
  notificationsForAll(): string {
    return `${this.tasks.prefix}:news`;
  }
}
