import { randomUUID } from 'node:crypto';
import { defineScript } from '@longhaul/redis';
import { FIELD_LIMITS } from '@longhaul/tasks';
import { whileReachable } from '@longhaul/tasks/redis';
import { bytesOfRecord, RECORD_LIMITS, tooManyCollections, } from '../ports/owner-records.js';
import { accountFull } from '../ports/session-state.js';
import { APPLY_CHANGES, APPLY_REMOVALS, CHANGES_SINCE } from './scripts/owner-records.js';
import { RedisSessionBytes } from './session-bytes.js';
/** `OwnerRecords` on Redis: all keys of an owner share a hash tag, so that one script reads or changes a collection. */
export class RedisOwnerRecords {
    deps;
    #changesSince;
    #apply;
    #remove;
    #maxAccountBytes;
    #accounts;
    constructor(deps) {
        this.deps = deps;
        const { redis, maxAccountBytes = FIELD_LIMITS.accountSessionBytes } = deps;
        this.#changesSince = defineScript(redis, CHANGES_SINCE);
        this.#apply = defineScript(redis, APPLY_CHANGES);
        this.#remove = defineScript(redis, APPLY_REMOVALS);
        this.#maxAccountBytes = maxAccountBytes;
        this.#accounts = new RedisSessionBytes({ redis, maxBytes: maxAccountBytes });
    }
    async changesSince({ owner, name }, { epoch, at: since }) {
        const { pageRecords: maxRecords, pageBytes: maxBytes } = RECORD_LIMITS;
        const args = { epoch, since, maxRecords, maxBytes, idleMs: owner.idleMs ?? 0 };
        return whileReachable(() => this.#changesSince(this.deps.keys.collection(owner.id, name), args));
    }
    async apply(of, changes) {
        const added = changes.changes.flatMap(({ id, json }) => (json === undefined ? [] : [{ id, json }]));
        if (added.length === 0)
            return (await this.#run(this.#remove, of, changes)).verdict;
        const bytes = added.reduce((sum, record) => sum + bytesOfRecord(record), 0);
        return this.deps.capacity.admit('creation', bytes, () => this.#counted(of, bytes, () => this.#run(this.#apply, of, changes)));
    }
    async keep(ownerId, ms) {
        const keys = await this.#keysOf(ownerId);
        await whileReachable(() => Promise.all(keys.map((key) => this.deps.redis.pexpire(key, ms))));
    }
    async clear(ownerId) {
        const keys = await this.#keysOf(ownerId);
        await whileReachable(() => Promise.all(keys.map((key) => this.deps.redis.del(key))));
    }
    /** Counts under the owner's account, if it has one, what the changes add. */
    async #counted({ owner, name }, bytes, apply) {
        if (owner.account === undefined)
            return (await apply()).verdict;
        const account = this.deps.keys.sessionsOf(owner.account);
        const { bytes: counted } = this.deps.keys.collection(owner.id, name);
        if (!(await this.#accounts.take(account, counted, bytes)))
            throw accountFull(this.#maxAccountBytes);
        const { verdict, grownBytes } = await apply();
        if (grownBytes < bytes)
            await this.#accounts.giveBack(account, counted, bytes - grownBytes);
        return verdict;
    }
    async #run(run, { owner, name }, { since, changes, maxBytes, update = '' }) {
        const { overheadBytes, collections: maxNames, removals: keptRemovals, turnMs } = RECORD_LIMITS;
        const limits = { maxBytes, overheadBytes, maxNames, keptRemovals, turnMs, idleMs: owner.idleMs ?? 0 };
        const args = { name, epoch: since.epoch, newEpoch: randomUUID(), update, since: since.at, ...limits };
        const pairs = changes.flatMap(({ id, json = '' }) => [id, json]);
        const { verdict, grownBytes } = await whileReachable(() => run(this.deps.keys.collection(owner.id, name), args, pairs));
        if (verdict === 'too-many')
            throw tooManyCollections();
        return { verdict, grownBytes };
    }
    async #keysOf(ownerId) {
        const { redis, keys } = this.deps;
        const names = await whileReachable(() => redis.smembers(keys.collections(ownerId)));
        const ofAll = names.flatMap((name) => {
            const { turn: _shortLived, ...kept } = keys.collection(ownerId, name);
            return Object.values(kept);
        });
        return [...new Set(ofAll)];
    }
}
//# sourceMappingURL=owner-records.js.map