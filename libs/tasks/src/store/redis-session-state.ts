import type { Json } from '../domain/json.js';
import type { RedisClient } from './redis-connection.js';
import type { RedisKeys } from './redis-keys.js';
import { SESSION_STATE_TTL_MS, type SessionState } from './session-state.js';
import type { StoreCapacity } from './store-capacity.js';
import { whileReachable } from './unavailable.js';

/** What the values are kept with. */
export interface RedisSessionStateDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly ttlMs: number | undefined;
  readonly capacity: StoreCapacity;
}

/** `SessionState` on Redis: one hash for each session. */
export class RedisSessionState implements SessionState {
  readonly #ttlMs: number;

  constructor(private readonly deps: RedisSessionStateDeps) {
    this.#ttlMs = deps.ttlMs ?? SESSION_STATE_TTL_MS;
  }

  async get(session: string, name: string): Promise<Json | undefined> {
    const json = await whileReachable(() => this.deps.redis.hget(this.#key(session), name));
    return json === null ? undefined : (JSON.parse(json) as Json);
  }

  async set(session: string, name: string, value: Json): Promise<void> {
    const [key, json] = [this.#key(session), JSON.stringify(value)];
    // One transaction, so that the hash is never left without TTL; one that it has already stays.
    await this.#write(json, () => this.deps.redis.multi().hset(key, name, json).pexpire(key, this.#ttlMs, 'NX').exec());
  }

  async add(session: string, name: string, value: Json): Promise<boolean> {
    const [key, json] = [this.#key(session), JSON.stringify(value)];
    const replies = await this.#write(json, () => this.deps.redis.multi().hsetnx(key, name, json).pexpire(key, this.#ttlMs, 'NX').exec());
    return replies?.[0]?.[1] === 1;
  }

  async delete(session: string, name: string): Promise<boolean> {
    return (await whileReachable(() => this.deps.redis.hdel(this.#key(session), name))) === 1;
  }

  async names(session: string, prefix: string): Promise<readonly string[]> {
    const names = await whileReachable(() => this.deps.redis.hkeys(this.#key(session)));
    return names.filter((name) => name.startsWith(prefix)).toSorted();
  }

  async keep(session: string, ms: number): Promise<void> {
    await whileReachable(() => this.deps.redis.pexpire(this.#key(session), ms));
  }

  async clear(session: string): Promise<void> {
    await whileReachable(() => this.deps.redis.del(this.#key(session)));
  }

  #write<T>(json: string, write: () => Promise<T>): Promise<T> {
    return this.deps.capacity.admit('creation', json.length, () => whileReachable(write));
  }

  #key(session: string): string {
    return this.deps.keys.sessionState(session);
  }
}
