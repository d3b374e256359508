import { Batch, defineScript } from '@longhaul/redis';
import { RedisTaskWalk } from './task-walk.js';
import { DATE, ENSURE, SETTLE, TAKE_DUE } from './scripts/task-agenda.js';
import { whileReachable } from './store-fault.js';
/** An entry that is removed a little later harms nobody: it is not due before. */
const REMOVE_DELAY_MS = 50;
/** `TaskAgenda` on Redis: sorted sets of task ids by date, one for each shard of task ids. */
export class RedisTaskAgenda {
    deps;
    #date;
    #take;
    #settle;
    #ensure;
    #walk;
    #ended;
    #shards;
    constructor(deps) {
        this.deps = deps;
        this.#date = defineScript(deps.redis, DATE);
        this.#take = defineScript(deps.redis, TAKE_DUE);
        this.#settle = defineScript(deps.redis, SETTLE);
        this.#ensure = defineScript(deps.redis, ENSURE);
        this.#walk = new RedisTaskWalk(deps);
        this.#ended = new Batch(REMOVE_DELAY_MS, (taskIds) => this.#remove(taskIds), deps.onError);
        this.#shards = deps.keys.allUnfinished();
    }
    get shards() {
        return this.#shards.length;
    }
    async date(taskId, inMs) {
        await whileReachable(() => this.#date({ shard: this.deps.keys.unfinished(taskId) }, { taskId, inMs }));
    }
    async count() {
        const { redis } = this.deps;
        const sizes = await whileReachable(() => Promise.all(this.#shards.map((shard) => redis.zcard(shard))));
        return sizes.reduce((sum, size) => sum + size, 0);
    }
    remove(taskId) {
        this.#ended.add(taskId);
    }
    flush() {
        return this.#ended.flush();
    }
    async take(shard, limit, leaseMs) {
        const { lease, size, due } = await whileReachable(() => this.#take({ shard: this.#key(shard) }, { limit, leaseMs }));
        return { shard, taskIds: due, lease, total: size * this.shards };
    }
    async settle({ shard, lease }, verdicts) {
        if (verdicts.size === 0)
            return;
        await whileReachable(() => this.#settle({ shard: this.#key(shard) }, { lease }, [...verdicts].flat()));
    }
    async ensure(taskIds, suspicion) {
        const onlyIf = suspicion === 'all' ? 'LT' : 'NX';
        await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([shard, ids]) => this.#ensure({ shard }, { onlyIf }, ids))));
    }
    async heal(onTasks = async () => undefined) {
        await whileReachable(() => this.#walk.goOn((taskIds, suspicion) => this.ensure(taskIds, suspicion), onTasks));
    }
    async #remove(taskIds) {
        const { redis } = this.deps;
        await whileReachable(() => Promise.all(this.#byShard(taskIds).map(([key, ids]) => redis.zrem(key, ...ids))));
    }
    #byShard(taskIds) {
        return [...Map.groupBy(taskIds, (taskId) => this.deps.keys.unfinished(taskId))];
    }
    #key(shard) {
        const key = this.#shards[shard];
        if (key === undefined)
            throw new RangeError(`There is no shard ${shard}; there are ${this.shards}.`);
        return key;
    }
}
//# sourceMappingURL=task-agenda.js.map