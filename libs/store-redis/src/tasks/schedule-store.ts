import { scheduleEventFrom, scheduleFrom, scheduleTexts } from '@longhaul/tasks/store';
import {
  type KeptSchedule,
  type KeptScheduleEvent,
  type Milliseconds,
  type PayloadCodec,
  type ScheduleAppend,
  type ScheduleAppended,
  type SchedulePage,
  type ScheduleState,
  type ScheduleStore,
  type TakenSchedules,
  tenantOf,
} from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { ScheduleKeys } from '../keys/schedules.js';
import type { RedisKeys } from '../keys/tasks.js';
import { APPEND_SCHEDULE, POSTPONE_SCHEDULE, REMOVE_SCHEDULE } from './schedule-store.lua.js';
import { whileReachable } from './store-fault.js';
import { TAKE_DUE } from './task-agenda.lua.js';

/** The date of a schedule that has none. */
const NEVER = -1;

/** `ScheduleStore` on Redis: a hash for each schedule, and a sorted set of their dates. */
export class RedisScheduleStore implements ScheduleStore {
  readonly #append: RunScript<typeof APPEND_SCHEDULE>;
  readonly #postpone: RunScript<typeof POSTPONE_SCHEDULE>;
  readonly #remove: RunScript<typeof REMOVE_SCHEDULE>;
  readonly #take: RunScript<typeof TAKE_DUE>;
  readonly #keys: ScheduleKeys;

  constructor(
    private readonly redis: RedisClient,
    keys: RedisKeys,
    private readonly codec: PayloadCodec,
  ) {
    this.#append = defineScript(redis, APPEND_SCHEDULE);
    this.#postpone = defineScript(redis, POSTPONE_SCHEDULE);
    this.#remove = defineScript(redis, REMOVE_SCHEDULE);
    this.#take = defineScript(redis, TAKE_DUE);
    this.#keys = new ScheduleKeys(keys);
  }

  async now(): Promise<number> {
    const [seconds, micros] = await whileReachable(() => this.redis.time());
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  async read(name: string): Promise<KeptSchedule | undefined> {
    const schedule = this.#keys.schedule(name);
    const [version, state, args] = await whileReachable(() => this.redis.hmget(schedule, 'version', 'state', 'arguments'));
    if (typeof state !== 'string' || typeof args !== 'string') return undefined;
    return scheduleFrom(this.codec, Number(version), JSON.parse(state) as ScheduleState, args);
  }

  async append(request: ScheduleAppend): Promise<ScheduleAppended> {
    const { state, expectedVersion, lookAt = NEVER, keepEvents: keep, limits } = request;
    const { name, definition } = state;
    const texts = await scheduleTexts(this.codec, request);
    const numbers = { expectedVersion, lookAt, keep, most: limits.all, mostOfTenant: limits.ofTenant };
    const args = { name, state: texts.state, tenant: tenantOf(definition.owner), args: texts.arguments ?? '', ...numbers };
    return whileReachable(() => this.#append(this.#keysOf(name), args, texts.events));
  }

  async postpone(name: string, version: number, lookAt = NEVER): Promise<void> {
    await whileReachable(() => this.#postpone(this.#keysOf(name), { name, version, lookAt }));
  }

  remove(name: string, version: number): Promise<boolean> {
    return whileReachable(() => this.#remove(this.#keysOf(name), { name, version }));
  }

  async history(name: string, limit: number): Promise<readonly KeptScheduleEvent[]> {
    const schedule = this.#keys.schedule(name);
    const [last, state] = await whileReachable(() => this.redis.hmget(schedule, 'version', 'state'));
    if (typeof state !== 'string' || limit < 1) return [];
    const { uid } = JSON.parse(state) as ScheduleState;
    const versions = Array.from({ length: Math.min(limit, Number(last)) }, (_, back) => Number(last) - back);
    const texts = await whileReachable(() => this.redis.hmget(schedule, ...versions.map((version) => `event:${version}`)));
    const kept = versions.flatMap((version, at) => {
      const text = texts[at];
      return typeof text === 'string' ? [scheduleEventFrom(this.codec, uid, version, text)] : [];
    });
    return Promise.all(kept);
  }

  async list(limit: number, after?: string): Promise<SchedulePage> {
    const start = after === undefined ? '-' : `(${after}`;
    const found = await whileReachable(() => this.redis.zrange(this.#keys.names(), start, '+', 'BYLEX', 'LIMIT', 0, limit + 1));
    const names = found.slice(0, limit);
    const states = await whileReachable(() => Promise.all(names.map((name) => this.redis.hget(this.#keys.schedule(name), 'state'))));
    const schedules = states.flatMap((state) => (typeof state === 'string' ? [JSON.parse(state) as ScheduleState] : []));
    const last = names.at(-1);
    return found.length > limit && last !== undefined ? { schedules, next: last } : { schedules };
  }

  count(): Promise<number> {
    return whileReachable(() => this.redis.zcard(this.#keys.names()));
  }

  async take(limit: number, leaseMs: Milliseconds): Promise<TakenSchedules> {
    const { lease, due } = await whileReachable(() => this.#take({ shard: this.#keys.due() }, { limit, leaseMs }));
    return { names: due, now: Math.floor(lease - leaseMs) };
  }

  #keysOf(name: string): Readonly<Record<'due' | 'names' | 'schedule' | 'tenants', string>> {
    const keys = this.#keys;
    return { due: keys.due(), names: keys.names(), schedule: keys.schedule(name), tenants: keys.tenants() };
  }
}
