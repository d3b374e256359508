/**
 * Lists an owner's tasks in Redis: a sorted set of ids by creation time and of ended ids by expiry, the latter by the clock of Redis.
 * Nothing sweeps it: registrations drop more expired ids than they add, so a list stays as long as its owner's live tasks without a script
 * that ever takes long.
 */
import type { Account, HeldClaim, KeyClaim, Registration, RegistrationVerdict } from '@longhaul/tasks/store';
import {
  isAddressAccount,
  type Milliseconds,
  type OwnerUse,
  type TaskId,
  type TaskIndex,
  type TaskIndexPage,
  type TaskIndexPosition,
} from '@longhaul/tasks';
import { defineScript, type RedisClient, type RunScript } from '@longhaul/redis';
import { keysOfAccount, limitRefusal, registering, retiring } from './account-arguments.js';
import type { RedisKeys } from '../keys/tasks.js';
import { COUNT_BYTES, ENDED, FORGET, INDEX_TTL_MS, KEEP_KEY, PAGE, REGISTER, RETIRE, USE } from './task-index.lua.js';
import { whileReachable } from './store-fault.js';

/** Dependencies of the index. */
export interface RedisTaskIndexDeps {
  readonly redis: RedisClient;
  readonly keys: RedisKeys;
  /** Whether one script may touch any keys: on one server, not on a cluster. */
  readonly isOneServer: boolean;
}

/** `TaskIndex` on Redis. */
export class RedisTaskIndex implements TaskIndex {
  readonly #registerAll: RunScript<typeof REGISTER>;
  readonly #countBytes: RunScript<typeof COUNT_BYTES>;
  readonly #retire: RunScript<typeof RETIRE>;
  readonly #forget: RunScript<typeof FORGET>;
  readonly #page: RunScript<typeof PAGE>;
  readonly #use: RunScript<typeof USE>;
  readonly #keepKey: RunScript<typeof KEEP_KEY>;

  constructor(private readonly deps: RedisTaskIndexDeps) {
    const { redis } = deps;
    this.#registerAll = defineScript(redis, REGISTER);
    this.#countBytes = defineScript(redis, COUNT_BYTES);
    this.#retire = defineScript(redis, RETIRE);
    this.#forget = defineScript(redis, FORGET);
    this.#page = defineScript(redis, PAGE);
    this.#use = defineScript(redis, USE);
    this.#keepKey = defineScript(redis, KEEP_KEY);
  }

  async register(task: Registration, accounts: readonly Account[]): Promise<RegistrationVerdict> {
    if (this.deps.isOneServer) return this.#register(task, accounts);
    for (const [at, account] of accounts.entries()) {
      const verdict = await this.#register(task, [account]);
      if (verdict.verdict === 'registered') continue;
      await Promise.all(accounts.slice(0, at).map(({ owner }) => this.forget(owner, [task.taskId])));
      return verdict;
    }
    return { verdict: 'registered' };
  }

  async #register(task: Registration, accounts: readonly Account[]): Promise<RegistrationVerdict> {
    const { args, ofAccounts, sets } = registering(this.deps.keys, task, accounts);
    const refused = await whileReachable(() => this.#registerAll({}, args, ofAccounts, sets));
    return refused === undefined ? { verdict: 'registered' } : limitRefusal(refused, accounts);
  }

  countBytes(owner: string, taskId: TaskId, bytes: number, limitBytes: number): Promise<number> {
    return whileReachable(() => this.#countBytes(this.#keysOf(owner), { taskId, taken: bytes, limitBytes }));
  }

  async keep(owners: readonly string[]): Promise<void> {
    const { redis } = this.deps;
    const kept = owners.flatMap((owner) => Object.values(this.#keysOf(owner)));
    await whileReachable(() => Promise.all(kept.map((key) => redis.pexpire(key, INDEX_TTL_MS))));
  }

  async retire(owners: readonly string[], taskId: TaskId, keptMs: Milliseconds, storedMs = keptMs): Promise<void> {
    const retire = (together: readonly string[]): Promise<void> => {
      const { args, ofAccounts, sets } = retiring(this.deps.keys, together, taskId, { keptMs, storedMs });
      return this.#retire({}, args, ofAccounts, sets);
    };
    const each = this.deps.isOneServer ? [owners] : owners.map((owner) => [owner]);
    await whileReachable(() => Promise.all(each.map(retire)));
  }

  async page(owner: string, limit: number, after?: TaskIndexPosition): Promise<TaskIndexPage> {
    if (isAddressAccount(owner)) return { tasks: [] };
    // One more than asked for shows whether there is a next page.
    const reply = await whileReachable(() =>
      this.#page(this.#keysOf(owner), { limit: limit + 1, afterCreatedAt: after?.createdAt ?? 0, afterTaskId: after?.taskId ?? '' }),
    );
    // After the oldest task come the entries of ended ones.
    const listed = positions(reply).filter(({ createdAt }) => createdAt >= 0);
    const tasks = listed.slice(0, limit);
    const last = tasks.at(-1);
    return last !== undefined && listed.length > limit ? { tasks, next: last } : { tasks };
  }

  async unretired(owner: string, limit: number): Promise<readonly TaskIndexPosition[]> {
    const { redis } = this.deps;
    const { tasks } = this.#keysOf(owner);
    return whileReachable(async () => {
      const counted = positions(await redis.zrange(tasks, '0', '+inf', 'BYSCORE', 'LIMIT', 0, limit, 'WITHSCORES'));
      const endedAt = counted.length === 0 ? [] : await redis.zmscore(tasks, ...counted.map(({ taskId }) => `${ENDED}${taskId}`));
      return counted.filter((_, at) => endedAt[at] === null);
    });
  }

  use(owner: string): Promise<OwnerUse> {
    return whileReachable(() => this.#use(this.#keysOf(owner), {}));
  }

  async forget(owner: string, taskIds: readonly TaskId[]): Promise<void> {
    if (taskIds.length === 0) return;
    await whileReachable(() => this.#forget(this.#keysOf(owner), {}, taskIds));
  }

  async claimKey(owner: string, key: string, { taskId, fingerprint }: KeyClaim, ttlMs: number): Promise<HeldClaim> {
    const name = this.deps.keys.idempotencyKey(owner, key);
    const earlier = await whileReachable(() => this.deps.redis.set(name, `${taskId}:${fingerprint}`, 'PX', ttlMs, 'NX', 'GET'));
    return earlier === null ? { taskId, fingerprint, isUsed: false } : claimIn(earlier);
  }

  async replaceKey(owner: string, key: string, { taskId, fingerprint }: KeyClaim, ttlMs: number): Promise<void> {
    const name = this.deps.keys.idempotencyKey(owner, key);
    await whileReachable(() => this.deps.redis.set(name, `${taskId}:${fingerprint}`, 'PX', ttlMs));
  }

  async claimOf(owner: string, key: string): Promise<HeldClaim | undefined> {
    const held = await whileReachable(() => this.deps.redis.get(this.deps.keys.idempotencyKey(owner, key)));
    return held === null ? undefined : claimIn(held);
  }

  async keepKey(owner: string, key: string, taskId: TaskId, ttlMs: number): Promise<void> {
    await whileReachable(() => this.#keepKey({ key: this.deps.keys.idempotencyKey(owner, key) }, { taskId, ttlMs }));
  }

  #keysOf(owner: string) {
    return keysOfAccount(this.deps.keys, owner);
  }
}

function claimIn(text: string): HeldClaim {
  const [taskId = '', fingerprint = '', mark] = text.split(':');
  return { taskId: taskId as TaskId, fingerprint, isUsed: mark === 'used' };
}

/** Reads members and scores in turn. */
function positions(reply: readonly string[]): TaskIndexPosition[] {
  const found: TaskIndexPosition[] = [];
  for (let index = 0; index + 1 < reply.length; index += 2)
    found.push({ taskId: reply[index] as TaskId, createdAt: Number(reply[index + 1]) });
  return found;
}
