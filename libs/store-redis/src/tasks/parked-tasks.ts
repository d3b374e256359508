import { groupNamed } from '@longhaul/tasks/store';
import type { GivenBack, ParkedGroup, ParkedTask, ParkedTasks, TaskId, Unsubscribe } from '@longhaul/tasks';
import { definePublish, defineScript, type Publish, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { PARK, PARKED_GROUPS, TAKE_PARKED } from './parked-tasks.lua.js';
import { whileReachable } from './store-fault.js';

/** Dependencies of the parked tasks. */
export interface RedisParkedTasksDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly subscriptions: RedisSubscriptions;
}

/** `ParkedTasks` on Redis: a hash of their records, and a sorted set in the order of their groups. */
export class RedisParkedTasks implements ParkedTasks {
  readonly #park: RunScript<typeof PARK>;
  readonly #groups: RunScript<typeof PARKED_GROUPS>;
  readonly #take: RunScript<typeof TAKE_PARKED>;
  readonly #keys: { readonly tasks: string; readonly order: string };
  readonly #publish: Publish;
  readonly #subscriptions: RedisSubscriptions;
  readonly #channel: string;

  constructor({ redis, keys, subscriptions }: RedisParkedTasksDeps) {
    this.#park = defineScript(redis, PARK);
    this.#groups = defineScript(redis, PARKED_GROUPS);
    this.#take = defineScript(redis, TAKE_PARKED);
    this.#keys = { tasks: keys.parkedTasks(), order: keys.parkedOrder() };
    this.#publish = definePublish(redis);
    this.#subscriptions = subscriptions;
    this.#channel = keys.parked();
  }

  async park({ taskId, pass, lane, ...given }: ParkedTask): Promise<void> {
    const json = JSON.stringify({ pass, lane, ...stored(given) });
    const group = await whileReachable(() => this.#park(this.#keys, { taskId, json }));
    await whileReachable(() => this.#publish(this.#channel, group));
  }

  async groups(): Promise<readonly ParkedGroup[]> {
    return (await whileReachable(() => this.#groups(this.#keys, {}))).map(groupNamed);
  }

  async take({ name }: ParkedGroup, limit: number, parkedForMs = 0): Promise<readonly ParkedTask[]> {
    const reply = await whileReachable(() => this.#take(this.#keys, { group: name, limit, parkedForMs }));
    const taken: ParkedTask[] = [];
    for (let index = 0; index + 1 < reply.length; index += 2) {
      const { pass, lane, ...given } = JSON.parse(reply[index + 1] ?? '') as Omit<ParkedTask, 'taskId'>;
      taken.push({ taskId: reply[index] as TaskId, pass, ...(lane !== undefined && { lane }), ...stored(given) });
    }
    return taken;
  }

  onParked(listener: (group: ParkedGroup | undefined) => void): Promise<Unsubscribe> {
    const add = () => this.#subscriptions.add(this.#channel, (name) => listener(name === undefined ? undefined : groupNamed(name)));
    return whileReachable(add);
  }
}

/** Member by member: the caller's object, and the entry in Redis, may hold more. */
function stored({ tool, asked, attemptSince, times, misfit, lostEpoch, lost }: GivenBack): GivenBack {
  const optional = {
    ...(misfit !== undefined && { misfit }),
    ...(lostEpoch !== undefined && { lostEpoch }),
    ...(lost === true && { lost }),
  };
  return { tool, asked, attemptSince, times, ...optional };
}
