import { defineScript } from '@longhaul/redis';
import { keysOfAccount, refusalOf, registering, retiring } from './account-arguments.js';
import { KEEP_KEY } from './scripts/keep-key.js';
import { INDEX_TTL_MS, COUNT_BYTES, FORGET, PAGE, REGISTER, RETIRE, USE } from './scripts/task-index.js';
import { KEPT_BYTES } from '../ports/kept-bytes.js';
import { whileReachable } from './store-fault.js';
/** `TaskIndex` on Redis. */
export class RedisTaskIndex {
    deps;
    #registerAll;
    #countBytes;
    #retire;
    #forget;
    #page;
    #use;
    #keepKey;
    constructor(deps) {
        this.deps = deps;
        const { redis } = deps;
        this.#registerAll = defineScript(redis, REGISTER);
        this.#countBytes = defineScript(redis, COUNT_BYTES);
        this.#retire = defineScript(redis, RETIRE);
        this.#forget = defineScript(redis, FORGET);
        this.#page = defineScript(redis, PAGE);
        this.#use = defineScript(redis, USE);
        this.#keepKey = defineScript(redis, KEEP_KEY);
    }
    async register(task, accounts) {
        if (this.deps.isOneServer)
            return this.#register(task, accounts);
        for (const [at, account] of accounts.entries()) {
            const verdict = await this.#register(task, [account]);
            if (verdict.verdict === 'registered')
                continue;
            await Promise.all(accounts.slice(0, at).map(({ owner }) => this.forget(owner, [task.taskId])));
            return verdict;
        }
        return { verdict: 'registered' };
    }
    async #register(task, accounts) {
        const { args, ofAccounts, sets } = registering(this.deps.keys, task, accounts);
        const refused = await whileReachable(() => this.#registerAll({}, args, ofAccounts, sets));
        return refused === undefined ? { verdict: 'registered' } : refusalOf(refused, accounts);
    }
    countBytes(owner, taskId, bytes, limitBytes) {
        return whileReachable(() => this.#countBytes(this.#keysOf(owner), { taskId, taken: bytes, limitBytes }));
    }
    async keep(owners) {
        const { redis } = this.deps;
        const kept = owners.flatMap((owner) => {
            const { tasks, expiring, implicit, bytes } = this.#keysOf(owner);
            return [tasks, expiring, implicit, bytes];
        });
        await whileReachable(() => Promise.all(kept.map((key) => redis.pexpire(key, INDEX_TTL_MS))));
    }
    async retire(owners, taskId, keptMs, storedMs = keptMs) {
        const retire = (together) => {
            const { args, ofAccounts, sets } = retiring(this.deps.keys, together, taskId, { keptMs, storedMs });
            return this.#retire({}, args, ofAccounts, sets);
        };
        const each = this.deps.isOneServer ? [owners] : owners.map((owner) => [owner]);
        await whileReachable(() => Promise.all(each.map(retire)));
    }
    async page(owner, limit, after) {
        // One more than asked for shows whether there is a next page.
        const reply = await whileReachable(() => this.#page(this.#keysOf(owner), { limit: limit + 1, afterCreatedAt: after?.createdAt ?? 0, afterTaskId: after?.taskId ?? '' }));
        const tasks = positions(reply).slice(0, limit);
        const last = tasks.at(-1);
        return last !== undefined && reply.length / 2 > limit ? { tasks, next: last } : { tasks };
    }
    async unretired(owner, limit) {
        const { redis } = this.deps;
        const keys = this.#keysOf(owner);
        return whileReachable(async () => {
            const listed = positions(await redis.zrange(keys.tasks, '0', String(limit - 1), 'WITHSCORES'));
            const retiredAt = listed.length === 0 ? [] : await redis.zmscore(keys.expiring, ...listed.map(({ taskId }) => taskId));
            const implicit = positions(await redis.zrange(keys.implicit, '0', String(limit - 1), 'WITHSCORES'));
            return [
                ...listed.filter((_, index) => retiredAt[index] === null),
                ...implicit.filter(({ taskId }) => !taskId.startsWith(KEPT_BYTES)),
            ];
        });
    }
    use(owner) {
        return whileReachable(() => this.#use(this.#keysOf(owner), {}));
    }
    async forget(owner, taskIds) {
        if (taskIds.length === 0)
            return;
        await whileReachable(() => this.#forget(this.#keysOf(owner), {}, taskIds));
    }
    async claimKey(owner, key, { taskId, fingerprint }, ttlMs) {
        const name = this.deps.keys.idempotencyKey(owner, key);
        const earlier = await whileReachable(() => this.deps.redis.set(name, `${taskId}:${fingerprint}`, 'PX', ttlMs, 'NX', 'GET'));
        if (earlier === null)
            return { taskId, fingerprint, isUsed: false };
        const [earlierId = '', earlierPrint = '', mark] = earlier.split(':');
        return { taskId: earlierId, fingerprint: earlierPrint, isUsed: mark === 'used' };
    }
    async keepKey(owner, key, taskId, ttlMs) {
        await whileReachable(() => this.#keepKey({ key: this.deps.keys.idempotencyKey(owner, key) }, { taskId, ttlMs }));
    }
    #keysOf(owner) {
        return keysOfAccount(this.deps.keys, owner);
    }
}
/** Reads members and scores in turn. */
function positions(reply) {
    const found = [];
    for (let index = 0; index + 1 < reply.length; index += 2)
        found.push({ taskId: reply[index], createdAt: Number(reply[index + 1]) });
    return found;
}
//# sourceMappingURL=task-index.js.map