/**
 * Counts the bytes of an account's sessions in Redis. Bytes are counted before a value is written, so a process that dies in between leaves
 * too much counted, never too little. Bytes that sessions free, by themselves or when they end, stay counted until the account is full:
 * then the counts are compared with the real sizes of the sessions.
 */
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import { CORRECT_BYTES, GIVE_BYTES_BACK, TAKE_BYTES } from './session-bytes.lua.js';

/** A day more than the longest idle time of a session. */
const COUNTED_MS = 31 * 24 * 3_600_000;

const SESSIONS_AT_ONCE = 500;

/** The share of its time that a process spends on the counts of one account, no matter how many calls are refused. */
const CORRECTING_SHARE = 0.1;

/** Dependencies of the counts. */
export interface RedisSessionBytesDeps {
  readonly redis: RedisClient;
  readonly maxBytes: number;
}

export class RedisSessionBytes {
  readonly #take: RunScript<typeof TAKE_BYTES>;
  readonly #giveBack: RunScript<typeof GIVE_BYTES_BACK>;
  readonly #correctSeen: RunScript<typeof CORRECT_BYTES>;
  /** The corrections under way, or done recently, by account. */
  readonly #corrections = new Map<string, Promise<void>>();

  constructor(private readonly deps: RedisSessionBytesDeps) {
    this.#take = defineScript(deps.redis, TAKE_BYTES);
    this.#giveBack = defineScript(deps.redis, GIVE_BYTES_BACK);
    this.#correctSeen = defineScript(deps.redis, CORRECT_BYTES);
  }

  /**
   * Takes bytes for a session.
   *
   * @param account the key of the account
   * @param session the key of the session's own count
   * @returns whether there was room
   */
  async take(account: string, session: string, bytes: number): Promise<boolean> {
    const args = { session, bytes, maxBytes: this.deps.maxBytes, ttlMs: COUNTED_MS };
    const take = (): Promise<boolean> => whileReachable(() => this.#take({ account }, args));
    if (await take()) return true;
    await whileReachable(() => this.#correctOnce(account));
    return take();
  }

  /** Gives back bytes that were taken in vain. */
  async giveBack(account: string, session: string, bytes: number): Promise<void> {
    await whileReachable(() => this.#giveBack({ account }, { session, bytes }));
  }

  #correctOnce(account: string): Promise<void> {
    const known = this.#corrections.get(account);
    if (known !== undefined) return known;
    const begunAt = performance.now();
    const correcting = this.#correct(account).finally(() => {
      const restMs = (performance.now() - begunAt) * (1 / CORRECTING_SHARE - 1);
      setTimeout(() => this.#corrections.delete(account), restMs).unref();
    });
    this.#corrections.set(account, correcting);
    return correcting;
  }

  async #correct(account: string): Promise<void> {
    const { total: _total, ...counts } = await this.deps.redis.hgetall(account);
    const counted = Object.entries(counts);
    for (let at = 0; at < counted.length; at += SESSIONS_AT_ONCE) {
      const corrections = await Promise.all(
        counted.slice(at, at + SESSIONS_AT_ONCE).map(async ([session, seen]) => {
          const bytes = Number((await this.deps.redis.get(session)) ?? 0);
          return [session, seen, bytes];
        }),
      );
      await this.#correctSeen({ account }, {}, corrections.flat());
    }
  }
}
