import type { DeadWorker, Heartbeat, RegisteredWorker, WorkerRegistry, WorkerTimes } from '@longhaul/tasks';
import { DEFAULT_WORKER_TIMES, detailsOf, type WorkerStanding } from '@longhaul/tasks/store';
import { closeConnection, defineScript, flushWrites, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { BEAT, FORGET_WORKER, LIVE, STANDING } from './worker-registry.lua.js';
import { whileReachable } from './store-fault.js';

/** How long a deployment without any worker is remembered, so that the next worker can take over the work of the last one. */
const TTL_MS = 3_600_000;
/** The last beat of a worker that left. */
const LEFT = 0;

/** Dependencies of the registry. */
export interface RedisWorkerRegistryDeps {
  readonly redis: RedisClient;
  /** Opens another connection for commands. */
  readonly another: () => Promise<RedisClient>;
  /** Called when that fails. It is tried again. */
  readonly onError: (error: unknown) => void;
  readonly keys: RedisKeys;
  readonly times?: WorkerTimes | undefined;
}

/** `WorkerRegistry` on Redis: a sorted set by the time of the last beat, and a hash of the workers' descriptions of themselves. */
export class RedisWorkerRegistry implements WorkerRegistry {
  readonly times: WorkerTimes;
  readonly #beat: RunScript<typeof BEAT>;
  readonly #live: RunScript<typeof LIVE>;
  readonly #standing: RunScript<typeof STANDING>;
  readonly #forget: RunScript<typeof FORGET_WORKER>;
  /**
   * After the first beat, a connection that is used only for the message that the worker leaves: in the last turn of a process's event
   * loop, TLS sends only the first write to a connection.
   */
  #forLastWord: RedisClient | undefined;
  #opening: Promise<void> | undefined;
  readonly #keys: { readonly seen: string; readonly details: string };

  constructor(private readonly deps: RedisWorkerRegistryDeps) {
    this.times = deps.times ?? DEFAULT_WORKER_TIMES;
    this.#keys = { seen: deps.keys.workersSeen(), details: deps.keys.workersDetails() };
    this.#beat = defineScript(deps.redis, BEAT);
    this.#live = defineScript(deps.redis, LIVE);
    this.#standing = defineScript(deps.redis, STANDING);
    this.#forget = defineScript(deps.redis, FORGET_WORKER);
  }

  async beat(worker: RegisteredWorker): Promise<Heartbeat> {
    const { workerId } = worker;
    const workerDetails = detailsOf(worker);
    const args = { workerId, workerDetails, deadAfterMs: this.times.deadAfterMs, ttlMs: TTL_MS };
    const { known, silentMs, dead: entries } = await whileReachable(() => this.#beat(this.#keys, args));
    this.#opening ??= this.#openForLastWord();
    const dead: DeadWorker[] = [];
    for (let index = 0; index + 1 < entries.length; index += 2)
      dead.push({ worker: parsed(entries[index] ?? ''), left: Number(entries[index + 1]) === LEFT });
    return { known, silentMs, dead };
  }

  async live(): Promise<readonly RegisteredWorker[]> {
    return (await whileReachable(() => this.#live(this.#keys, { deadAfterMs: this.times.deadAfterMs }))).map(parsed);
  }

  async standing(workerId: string): Promise<WorkerStanding> {
    return whileReachable(() => this.#standing(this.#keys, { workerId, deadAfterMs: this.times.deadAfterMs }));
  }

  leave(workerId: string): void {
    const redis = this.#forLastWord?.status === 'ready' ? this.#forLastWord : this.deps.redis;
    if (redis.status !== 'ready') return;
    // XX: a worker that was forgotten already stays forgotten. Not a script: a server that does not know it would need a second call.
    redis.zadd(this.#keys.seen, 'XX', LEFT, workerId).catch(() => undefined);
    flushWrites(redis);
  }

  /** Ends the connection that it has opened. */
  async close(): Promise<void> {
    await this.#opening;
    if (this.#forLastWord !== undefined) await closeConnection(this.#forLastWord);
  }

  async #openForLastWord(): Promise<void> {
    try {
      this.#forLastWord = await this.deps.another();
    } catch (error) {
      this.deps.onError(error);
      this.#opening = undefined;
    }
  }

  forget(workerId: string): Promise<boolean> {
    return whileReachable(() => this.#forget(this.#keys, { workerId, deadAfterMs: this.times.deadAfterMs }));
  }
}

function parsed(details: string): RegisteredWorker {
  return JSON.parse(details) as RegisteredWorker;
}
