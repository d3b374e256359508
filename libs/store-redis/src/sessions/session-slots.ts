import { namedAccount, openSession, SESSION_STATE_TTL_MS } from '@longhaul/sessions/store';
import { hashOfAccount, type OpenSessions, type SessionSlots } from '@longhaul/sessions';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { whileReachable } from '../tasks/store-fault.js';
import type { SessionKeys } from '../keys/sessions.js';
import { FREE_PLACE, KEEP_PLACE, LIST_ACCOUNT, READ_PLACES, TAKE_PLACE } from './session-slots.lua.js';

/** About how many accounts are read at once. */
const PAGE = 1_000;

/** Dependencies of the places. */
export interface RedisSessionPlacesDeps {
  readonly redis: RedisClient;
  readonly keys: SessionKeys;
  readonly idleMs: number | undefined;
}

/**
 * Stores places in Redis: a sorted set for each account, and with each session the name of that set. On a cluster the list of accounts lies
 * elsewhere. It is written together with that name, so that it costs no extra round trip, and outlasts every session of its accounts.
 */
export class RedisSessionSlots implements SessionSlots {
  readonly #idleMs: number;
  readonly #take: RunScript<typeof TAKE_PLACE>;
  readonly #keep: RunScript<typeof KEEP_PLACE>;
  readonly #free: RunScript<typeof FREE_PLACE>;
  readonly #read: RunScript<typeof READ_PLACES>;
  readonly #list: RunScript<typeof LIST_ACCOUNT>;

  constructor(private readonly deps: RedisSessionPlacesDeps) {
    const { redis, idleMs } = deps;
    this.#idleMs = idleMs ?? SESSION_STATE_TTL_MS;
    this.#take = defineScript(redis, TAKE_PLACE);
    this.#keep = defineScript(redis, KEEP_PLACE);
    this.#free = defineScript(redis, FREE_PLACE);
    this.#read = defineScript(redis, READ_PLACES);
    this.#list = defineScript(redis, LIST_ACCOUNT);
  }

  async take(account: string, session: string, limit: number): Promise<boolean> {
    const { redis, keys } = this.deps;
    const hash = hashOfAccount(account);
    const named = namedAccount(account);
    return whileReachable(async () => {
      if (!(await this.#take(keys.placesOf(hash), { session, account: named ?? '', limit, idleMs: this.#idleMs }))) return false;
      await Promise.all([redis.set(keys.placeOf(session), hash, 'PX', this.#idleMs), this.#noteAccount(named, this.#idleMs)]);
      return true;
    });
  }

  async keep(session: string, ms: number): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(async () => {
      const hash = await redis.getex(keys.placeOf(session), 'PX', ms);
      if (hash !== null) await this.#noteAccount(await this.#keep(keys.placesOf(hash), { session, ms }), ms);
    });
  }

  async release(session: string): Promise<void> {
    const { redis, keys } = this.deps;
    await whileReachable(async () => {
      const hash = await redis.getdel(keys.placeOf(session));
      if (hash !== null) await this.#free(keys.placesOf(hash), { session });
    });
  }

  async openOf(account: string, most: number): Promise<OpenSessions> {
    const { count, sessions } = await whileReachable(() => this.#read(this.deps.keys.placesOf(hashOfAccount(account)), { most }));
    return { count, sessions: sessions.map(openSession) };
  }

  async *accounts(): AsyncGenerator<string> {
    const { redis, keys } = this.deps;
    let cursor = '0';
    do {
      const from = cursor;
      const [next, found] = await whileReachable(() => redis.zscan(keys.accountsWithSessions(), from, 'COUNT', PAGE));
      // Each account is followed by its score.
      yield* found.filter((_, at) => at % 2 === 0);
      cursor = next;
    } while (cursor !== '0');
  }

  async #noteAccount(account: string | undefined, ms: number): Promise<void> {
    if (account !== undefined) await this.#list({ accounts: this.deps.keys.accountsWithSessions() }, { account, ms });
  }
}
