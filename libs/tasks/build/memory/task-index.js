import { isAddressAccount } from '../write/accounts.js';
import { keptBytesOf } from '../ports/kept-bytes.js';
import { newestFirst } from '../ports/newest-first.js';
const MINUTE_MS = 60_000;
/** `TaskIndex` in memory; it sorts at each page, which is fine for the few tasks of one process. */
export class MemoryTaskIndex {
    clock;
    #owners = new Map();
    constructor(clock) {
        this.clock = clock;
    }
    async register({ taskId, createdAt, implicit, bytes = 0 }, accounts) {
        for (const account of accounts) {
            const refusal = this.#refusal(account, taskId, bytes);
            if (refusal !== undefined)
                return refusal;
        }
        for (const { owner } of accounts) {
            const { entries, minute } = this.#ownerOf(owner);
            minute.count += 1;
            entries.set(taskId, { taskId, createdAt, implicit: implicit || isAddressAccount(owner), bytes });
        }
        return { verdict: 'registered' };
    }
    #refusal(account, taskId, bytes) {
        const { owner, limits } = account;
        const { entries, minute } = this.#ownerOf(owner);
        const now = this.clock();
        this.#dropExpired(entries);
        // Whose reply was lost is registered again, and takes no more than it has.
        if (entries.has(taskId))
            return undefined;
        const live = [...entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
        if (live.length >= limits.concurrentTasks)
            return { verdict: 'too-many-tasks', account };
        if (totalOf(entries) + bytes > limits.historyBytes)
            return { verdict: 'too-many-bytes', account };
        if (minute.endsAt <= now)
            Object.assign(minute, { count: 0, endsAt: now + MINUTE_MS });
        if (minute.count < limits.tasksPerMinute)
            return undefined;
        return { verdict: 'too-many-per-minute', account, retryAfterMs: minute.endsAt - now };
    }
    async countBytes(owner, taskId, bytes) {
        const { entries } = this.#ownerOf(owner);
        const entry = entries.get(keptBytesOf(taskId)) ?? entries.get(taskId);
        if (entry !== undefined)
            entry.bytes = bytes;
        this.#dropExpired(entries);
        return totalOf(entries);
    }
    async keep() {
        // Nothing here is forgotten by itself.
    }
    async retire(owners, taskId, keptMs, storedMs = keptMs) {
        for (const owner of owners) {
            const { entries } = this.#ownerOf(owner);
            const entry = entries.get(taskId);
            if (entry !== undefined && entry.bytes > 0 && storedMs > keptMs) {
                const kept = keptBytesOf(taskId);
                entries.set(kept, { ...entry, taskId: kept, implicit: true, expiresAt: this.clock() + storedMs });
                entry.bytes = 0;
            }
            if (entry?.implicit === true && !(isAddressAccount(owner) && entry.bytes > 0))
                entries.delete(taskId);
            else if (entry !== undefined)
                entry.expiresAt = this.clock() + keptMs;
        }
    }
    async unretired(owner, limit) {
        const live = [...this.#ownerOf(owner).entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
        return live.slice(0, limit).map(({ taskId, createdAt }) => ({ taskId, createdAt }));
    }
    async claimKey(owner, key, { taskId, fingerprint }, ttlMs) {
        const { keys } = this.#ownerOf(owner);
        const earlier = keys.get(key);
        if (earlier !== undefined && earlier.expiresAt > this.clock())
            return earlier.claim;
        const claim = { taskId, fingerprint, isUsed: false };
        keys.set(key, { claim, expiresAt: this.clock() + ttlMs });
        return claim;
    }
    async keepKey(owner, key, taskId, ttlMs) {
        const { keys } = this.#ownerOf(owner);
        const held = keys.get(key);
        if (held?.claim.taskId === taskId)
            keys.set(key, { claim: { ...held.claim, isUsed: true }, expiresAt: this.clock() + ttlMs });
    }
    async page(owner, limit, after) {
        const following = [...this.#ownerOf(owner).entries.values()]
            .filter(({ implicit }) => !implicit)
            .filter((entry) => after === undefined || newestFirst(after, entry) < 0)
            .sort(newestFirst);
        const tasks = following.slice(0, limit).map(({ taskId, createdAt }) => ({ taskId, createdAt }));
        const last = tasks.at(-1);
        return last !== undefined && following.length > limit ? { tasks, next: last } : { tasks };
    }
    async use(owner) {
        const { entries, minute } = this.#ownerOf(owner);
        this.#dropExpired(entries);
        const unfinished = [...entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
        const tasksInMinute = minute.endsAt > this.clock() ? minute.count : 0;
        return { unfinishedTasks: unfinished.length, tasksInMinute, historyBytes: totalOf(entries) };
    }
    async forget(owner, taskIds) {
        for (const taskId of taskIds)
            this.#ownerOf(owner).entries.delete(taskId);
    }
    #dropExpired(entries) {
        const now = this.clock();
        for (const { taskId, expiresAt } of entries.values())
            if (expiresAt !== undefined && expiresAt <= now)
                entries.delete(taskId);
    }
    #ownerOf(owner) {
        const found = this.#owners.get(owner) ?? { entries: new Map(), keys: new Map(), minute: { count: 0, endsAt: 0 } };
        this.#owners.set(owner, found);
        return found;
    }
}
function totalOf(entries) {
    return [...entries.values()].reduce((total, { bytes }) => total + bytes, 0);
}
//# sourceMappingURL=task-index.js.map