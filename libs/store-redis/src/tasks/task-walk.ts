/**
 * Walks over all tasks that Redis holds. Acknowledged writes may be lost when a server fails over or restarts. A task's stream, its entry
 * in the agenda and its job lie on different masters of a cluster, so one master may lose its latest writes while the others keep theirs.
 * So whenever a server is another one than at the last walk, every unfinished task is looked at again, on all masters. Its entry may be
 * gone, or dated for a state that the stream no longer has. Without such an event a walk every ten minutes finds entries that were never
 * written.
 *
 * The same holds for webhooks: their recipients lie on another master than the webhooks themselves, so recipients are dated again too.
 *
 * A view without TTL belongs to an unfinished task, so only names and TTLs are read. All tasks that the walk finds are handed on, ended
 * ones too: other parts that keep data for each task can write it again.
 */
import type { OnTasks, Suspicion } from '@longhaul/tasks/store';
import type { TaskId } from '@longhaul/tasks';
import { randomUUID } from 'node:crypto';
import { Cluster, type Redis } from 'ioredis';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { patternOfWalk, taskOfWebhooks } from '../keys/webhooks.js';
import { BEGIN_WALK, END_WALK } from './task-walk.lua.js';

/** How many keys one step of a walk visits, and how many steps each call does. */
const KEYS_PER_STEP = 1_000;
const STEPS_PER_CALL = 10;
/** How often a process asks whether a walk is due while it does not walk itself. */
const CHECK_INTERVAL_MS = 3_000;
const TIMES = { leaseMs: 10_000, intervalMs: 600_000, ttlMs: 24 * 3_600_000 };
const NO_TTL = -1;

/** A walk that this process is on. */
interface Walk {
  /** The identities of the servers when the walk began. */
  readonly servers: string;
  /** The servers that are left; the first one is being walked. */
  readonly left: Redis[];
  cursor: string;
}

/** Called with what was found. */
export interface WalkHandlers {
  /** Dates unfinished tasks. */
  readonly onFound: (taskIds: readonly TaskId[], suspicion: Suspicion) => Promise<void>;
  /** Dates the recipients of tasks with webhooks. */
  readonly onWebhooks: OnTasks;
  readonly onTasks: OnTasks;
}

/** The result of one step: all tasks, the unfinished ones among them, and tasks with webhooks. */
interface Found {
  readonly all: readonly TaskId[];
  readonly unfinished: readonly TaskId[];
  readonly withWebhooks: readonly TaskId[];
}

/** Does one process's part of the walks. */
export class RedisTaskWalk {
  readonly #begin: RunScript<typeof BEGIN_WALK>;
  readonly #endWalk: RunScript<typeof END_WALK>;
  readonly #walker = randomUUID();
  #walk: Walk | undefined;
  #checkAt = 0;

  constructor(private readonly deps: { readonly redis: RedisClient; readonly keys: RedisKeys }) {
    this.#begin = defineScript(deps.redis, BEGIN_WALK);
    this.#endWalk = defineScript(deps.redis, END_WALK);
  }

  /** Continues with a walk, or begins one if it is due. If a step of a walk fails, the walk begins again. */
  async goOn({ onFound, onWebhooks, onTasks }: WalkHandlers): Promise<void> {
    const walk = this.#walk ?? (await this.#due());
    this.#walk = undefined;
    if (walk === undefined) return;
    const suspicion = await this.#begin({ walked: this.deps.keys.walked() }, { servers: walk.servers, walker: this.#walker, ...TIMES });
    if (suspicion === undefined) return;
    for (let step = 0; step < STEPS_PER_CALL && walk.left.length > 0; step++) {
      const { all, unfinished, withWebhooks } = await this.#step(walk);
      if (unfinished.length > 0) await onFound(unfinished, suspicion);
      if (withWebhooks.length > 0) await onWebhooks(withWebhooks);
      if (all.length > 0) await onTasks(all);
    }
    if (walk.left.length > 0) this.#walk = walk;
    else await this.#end(walk);
  }

  async #due(): Promise<Walk | undefined> {
    const now = performance.now();
    if (now < this.#checkAt) return undefined;
    this.#checkAt = now + CHECK_INTERVAL_MS;
    const { redis } = this.deps;
    const masters = redis instanceof Cluster ? redis.nodes('master') : [redis];
    const identities = (await Promise.all(masters.map(identityOf))).filter((identity) => identity !== undefined);
    // Fewer when a server is no longer a master: the cluster's new order is not known here yet.
    if (identities.length < masters.length) return undefined;
    return { servers: identities.toSorted().join(), left: masters, cursor: '0' };
  }

  /** Visits some keys. */
  async #step(walk: Walk): Promise<Found> {
    const { redis, keys } = this.deps;
    const [server] = walk.left;
    if (server === undefined) return { all: [], unfinished: [], withWebhooks: [] };
    const [cursor, found] = await server.scan(walk.cursor, 'MATCH', patternOfWalk(keys), 'COUNT', KEYS_PER_STEP);
    const views = found.filter((name) => keys.taskOfView(name) !== undefined);
    const ttls = await Promise.all(views.map((view) => redis.pttl(view)));
    walk.cursor = cursor;
    if (cursor === '0') walk.left.shift();
    const tasksOf = (names: readonly string[]) => names.flatMap((view) => keys.taskOfView(view) ?? []);
    return {
      all: tasksOf(views),
      unfinished: tasksOf(views.filter((_, index) => ttls[index] === NO_TTL)),
      withWebhooks: found.flatMap((name) => taskOfWebhooks(keys, name) ?? []),
    };
  }

  async #end({ servers }: Walk): Promise<void> {
    await this.#endWalk({ walked: this.deps.keys.walked() }, { servers, walker: this.#walker });
  }
}

/** The identity of a server, which changes when it restarts or a replica takes its place; nothing if it is not a master. */
async function identityOf(server: Redis): Promise<string | undefined> {
  const info = await server.info('replication');
  return /^role:master\b/m.test(info) ? /^master_replid:(\w+)/m.exec(info)?.[1] : undefined;
}
