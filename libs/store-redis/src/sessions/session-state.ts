import type { SessionState } from '@longhaul/sessions';
import { accountFull, keptValue, SESSION_STATE_TTL_MS, sessionFull, valueFrom } from '@longhaul/sessions/store';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { FIELD_LIMITS, type Json, type PayloadCodec, type StoreCapacity } from '@longhaul/tasks';
import { whileReachable } from '../tasks/store-fault.js';
import { DELETE_VALUE, SET_VALUE } from './session-values.lua.js';
import type { SessionKeys } from '../keys/sessions.js';
import { RedisSessionBytes } from './session-bytes.js';

/** Dependencies of the values. */
export interface RedisSessionStateDeps {
  readonly redis: RedisClient;
  readonly keys: SessionKeys;
  readonly ttlMs: number | undefined;
  readonly capacity: StoreCapacity;
  readonly codec: PayloadCodec;
  /** Limit of all sessions of an account. @defaultValue as `FIELD_LIMITS` */
  readonly maxAccountBytes: number | undefined;
}

interface NewValue {
  readonly name: string;
  readonly value: Json;
  readonly isNewOnly: boolean;
}

/** `SessionState` on Redis: one hash for each session, and a count of its bytes; for each account, one count of all its sessions. */
export class RedisSessionState implements SessionState {
  readonly #ttlMs: number;
  readonly #set: RunScript<typeof SET_VALUE>;
  readonly #delete: RunScript<typeof DELETE_VALUE>;
  readonly #maxAccountBytes: number;
  readonly #bytes: RedisSessionBytes;

  constructor(private readonly deps: RedisSessionStateDeps) {
    this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
    this.#set = defineScript(deps.redis, SET_VALUE);
    this.#delete = defineScript(deps.redis, DELETE_VALUE);
    this.#maxAccountBytes = deps.maxAccountBytes ?? FIELD_LIMITS.accountSessionBytes;
    this.#bytes = new RedisSessionBytes({ redis: deps.redis, maxBytes: this.#maxAccountBytes });
  }

  async get(session: string, name: string): Promise<Json | undefined> {
    const json = await whileReachable(() => this.deps.redis.hget(this.#keysOf(session).values, name));
    return json === null ? undefined : valueFrom(this.deps.codec, json, { session, name });
  }

  async set(session: string, name: string, value: Json, account = session): Promise<void> {
    await this.#put(session, account, { name, value, isNewOnly: false });
  }

  async add(session: string, name: string, value: Json, account = session): Promise<boolean> {
    return this.#put(session, account, { name, value, isNewOnly: true });
  }

  async delete(session: string, name: string): Promise<boolean> {
    return whileReachable(() => this.#delete(this.#keysOf(session), { name }));
  }

  async names(session: string, prefix: string): Promise<readonly string[]> {
    const names = await whileReachable(() => this.deps.redis.hkeys(this.#keysOf(session).values));
    return names.filter((name) => name.startsWith(prefix)).toSorted();
  }

  async keep(session: string, ms: number): Promise<void> {
    await this.#onBoth(session, (key) => this.deps.redis.pexpire(key, ms));
  }

  async clear(session: string): Promise<void> {
    await this.#onBoth(session, (key) => this.deps.redis.del(key));
  }

  /** @returns whether it was set */
  async #put(session: string, account: string, { name, value, isNewOnly }: NewValue): Promise<boolean> {
    const { sessionValues: maxValues, sessionBytes: maxBytes } = FIELD_LIMITS;
    const json = await keptValue(this.deps.codec, value, { session, name, account });
    const args = { name, value: json, isNewOnly, ttlMs: this.#ttlMs, maxValues, maxBytes };
    const keys = this.#keysOf(session);
    const sessions = this.deps.keys.sessionsOf(account);
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(json);
    const { verdict, grownBytes } = await this.deps.capacity.admit('creation', json.length, async () => {
      if (!(await this.#bytes.take(sessions, keys.size, bytes))) throw accountFull(this.#maxAccountBytes);
      return whileReachable(() => this.#set(keys, args));
    });
    if (grownBytes < bytes) await this.#bytes.giveBack(sessions, keys.size, bytes - grownBytes);
    if (verdict === 'too-many' || verdict === 'too-large') throw sessionFull(verdict);
    return verdict === 'set';
  }

  async #onBoth(session: string, run: (key: string) => Promise<number>): Promise<void> {
    const { values, size } = this.#keysOf(session);
    await whileReachable(() => Promise.all([run(values), run(size)]));
  }

  #keysOf(session: string) {
    const { keys } = this.deps;
    return { values: keys.values(session), size: keys.valuesSize(session) };
  }
}
