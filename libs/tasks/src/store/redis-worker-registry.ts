import type { RedisClient } from './redis-connection.js';
import type { RedisKeys } from './redis-keys.js';
import { defineWorkerRegistryScripts, type WorkerRegistryScripts } from './scripts/worker-registry.js';
import { whileReachable } from './unavailable.js';
import {
  DEFAULT_WORKER_TIMES,
  type DeadWorker,
  type Heartbeat,
  type RegisteredWorker,
  type WorkerRegistry,
  type WorkerTimes,
} from './worker-registry.js';
import { flushWrites } from './write-coalescing.js';

/** How long a deployment without any worker is remembered, so that the next one can give the work of the last to itself. */
const TTL_MS = 3_600_000;
/** When a worker that left was last seen. */
const LEFT = 0;

/** What the registry works with. */
export interface RedisWorkerRegistryDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  readonly times?: WorkerTimes | undefined;
}

/** `WorkerRegistry` on Redis: a sorted set by the time of the last beat, and a hash of what each says of itself. */
export class RedisWorkerRegistry implements WorkerRegistry {
  readonly times: WorkerTimes;
  readonly #scripts: WorkerRegistryScripts;
  readonly #seen: string;

  constructor(private readonly deps: RedisWorkerRegistryDeps) {
    this.times = deps.times ?? DEFAULT_WORKER_TIMES;
    this.#seen = deps.keys.workersSeen();
    this.#scripts = defineWorkerRegistryScripts(deps.redis, { seen: this.#seen, details: deps.keys.workersDetails() });
  }

  async beat(worker: RegisteredWorker): Promise<Heartbeat> {
    const { workerId, version, tools, lockToken, startedAt } = worker;
    const details = JSON.stringify({ workerId, version, tools, lockToken, startedAt });
    const [known, silentMs, ...entries] = await whileReachable(() => this.#scripts.beat(workerId, details, this.times.deadAfterMs, TTL_MS));
    const dead: DeadWorker[] = [];
    for (let index = 0; index + 1 < entries.length; index += 2)
      dead.push({ worker: parsed(entries[index] ?? ''), left: Number(entries[index + 1]) === LEFT });
    return { known: known === 1, silentMs, dead };
  }

  async live(): Promise<readonly RegisteredWorker[]> {
    return (await whileReachable(() => this.#scripts.live(this.times.deadAfterMs))).map(parsed);
  }

  leave(workerId: string): void {
    const { redis } = this.deps;
    if (redis.status !== 'ready') return;
    // XX: one that was forgotten already stays so. Not a script: a server that does not know it would need a second call.
    redis.zadd(this.#seen, 'XX', LEFT, workerId).catch(() => undefined);
    flushWrites(redis);
  }

  async forget(workerId: string): Promise<void> {
    await whileReachable(() => this.#scripts.forget(workerId));
  }
}

function parsed(details: string): RegisteredWorker {
  return JSON.parse(details) as RegisteredWorker;
}
