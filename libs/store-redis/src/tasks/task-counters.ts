import {
  COUNT_NAMES,
  type Count,
  type CounterLevel,
  type CounterPeriod,
  type CounterStep,
  type Counts,
  type TaskCounters,
} from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { ADD_COUNTS, RAISE_LEVEL, READ_PERIODS } from './task-counters.lua.js';
import { whileReachable } from './store-fault.js';

/** Hashes that are read at the same time. */
const AT_ONCE = 20;

/** `TaskCounters` on Redis. */
export class RedisTaskCounters implements TaskCounters {
  readonly #add: RunScript<typeof ADD_COUNTS>;
  readonly #raise: RunScript<typeof RAISE_LEVEL>;
  readonly #read: RunScript<typeof READ_PERIODS>;
  readonly #counters: string;

  constructor(
    private readonly redis: RedisClient,
    keys: RedisKeys,
  ) {
    this.#counters = keys.counters();
    this.#add = defineScript(redis, ADD_COUNTS);
    this.#raise = defineScript(redis, RAISE_LEVEL);
    this.#read = defineScript(redis, READ_PERIODS);
  }

  async add(counts: readonly Count[]): Promise<void> {
    const given = counts.flatMap(({ tool, name, value }) => [tool, name, value]);
    await whileReachable(() => this.#add({ counters: this.#counters }, {}, given));
  }

  async raise(level: CounterLevel, value: number): Promise<void> {
    await whileReachable(() => this.#raise({ counters: this.#counters }, { name: level, value }));
  }

  async series(step: CounterStep, periods: number, tool?: string): Promise<readonly CounterPeriod[]> {
    const names = tool === undefined ? [] : COUNT_NAMES;
    const found = await whileReachable(() => this.#read({ counters: this.#counters }, { tool, step, periods }, names));
    return found.map(({ at, counts }) => ({ at, counts: countsOf(counts) }));
  }

  async byTool(step: CounterStep, times: readonly number[]): Promise<ReadonlyMap<string, Counts>> {
    const sums = new Map<string, Record<string, number>>();
    for (let first = 0; first < times.length; first += AT_ONCE) {
      const hashes = times.slice(first, first + AT_ONCE).map((at) => `${this.#counters}:${step}:${at}:tools`);
      const read = await whileReachable(() => Promise.all(hashes.map((hash) => this.redis.hgetall(hash))));
      for (const counts of read) addTo(sums, counts);
    }
    return sums;
  }
}

/** Adds the counts of a period, by tool and name. */
function addTo(sums: Map<string, Record<string, number>>, counts: Readonly<Record<string, string>>): void {
  for (const [field, value] of Object.entries(counts)) {
    const end = field.lastIndexOf('\n');
    const [tool, name] = [field.slice(0, end), field.slice(end + 1)];
    const ofTool = sums.get(tool) ?? {};
    ofTool[name] = (ofTool[name] ?? 0) + Number(value);
    sums.set(tool, ofTool);
  }
}

/** Reads names and values in turn. */
function countsOf(flat: readonly string[]): Counts {
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at], Number(flat[2 * at + 1])]));
}
