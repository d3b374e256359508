import type { Clock } from '../ports/clock.js';
import { isAddressAccount } from '../write/accounts.js';
import { keptBytesOf } from '../ports/kept-bytes.js';
import type { TaskId } from '../domain/task-id.js';
import { newestFirst } from '../ports/newest-first.js';
import type {
  Account,
  HeldClaim,
  KeyClaim,
  OwnerUse,
  Registration,
  RegistrationVerdict,
  TaskIndex,
  TaskIndexPage,
  TaskIndexPosition,
} from '../ports/task-index.js';

const MINUTE_MS = 60_000;

interface Entry extends TaskIndexPosition {
  readonly implicit: boolean;
  bytes: number;
  expiresAt?: number;
}

interface Owner {
  readonly entries: Map<TaskId, Entry>;
  readonly keys: Map<string, { readonly claim: HeldClaim; readonly expiresAt: number }>;
  readonly minute: { count: number; endsAt: number };
}

/** `TaskIndex` in memory; it sorts at each page, which is fine for the few tasks of one process. */
export class MemoryTaskIndex implements TaskIndex {
  readonly #owners = new Map<string, Owner>();

  constructor(private readonly clock: Clock) {}

  async register({ taskId, createdAt, implicit, bytes = 0 }: Registration, accounts: readonly Account[]): Promise<RegistrationVerdict> {
    for (const account of accounts) {
      const refusal = this.#refusal(account, taskId, bytes);
      if (refusal !== undefined) return refusal;
    }
    for (const { owner } of accounts) {
      const { entries, minute } = this.#ownerOf(owner);
      minute.count += 1;
      entries.set(taskId, { taskId, createdAt, implicit: implicit || isAddressAccount(owner), bytes });
    }
    return { verdict: 'registered' };
  }

  #refusal(account: Account, taskId: TaskId, bytes: number): RegistrationVerdict | undefined {
    const { owner, limits } = account;
    const { entries, minute } = this.#ownerOf(owner);
    const now = this.clock();
    this.#dropExpired(entries);
    // Whose reply was lost is registered again, and takes no more than it has.
    if (entries.has(taskId)) return undefined;
    const live = [...entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
    if (live.length >= limits.concurrentTasks) return { verdict: 'too-many-tasks', account };
    if (totalOf(entries) + bytes > limits.historyBytes) return { verdict: 'too-many-bytes', account };
    if (minute.endsAt <= now) Object.assign(minute, { count: 0, endsAt: now + MINUTE_MS });
    if (minute.count < limits.tasksPerMinute) return undefined;
    return { verdict: 'too-many-per-minute', account, retryAfterMs: minute.endsAt - now };
  }

  async countBytes(owner: string, taskId: TaskId, bytes: number): Promise<number> {
    const { entries } = this.#ownerOf(owner);
    const entry = entries.get(keptBytesOf(taskId)) ?? entries.get(taskId);
    if (entry !== undefined) entry.bytes = bytes;
    this.#dropExpired(entries);
    return totalOf(entries);
  }

  async keep(): Promise<void> {
    // Nothing here is forgotten by itself.
  }

  async retire(owners: readonly string[], taskId: TaskId, keptMs: number, storedMs = keptMs): Promise<void> {
    for (const owner of owners) {
      const { entries } = this.#ownerOf(owner);
      const entry = entries.get(taskId);
      if (entry !== undefined && entry.bytes > 0 && storedMs > keptMs) {
        const kept = keptBytesOf(taskId);
        entries.set(kept, { ...entry, taskId: kept, implicit: true, expiresAt: this.clock() + storedMs });
        entry.bytes = 0;
      }
      if (entry?.implicit === true && !(isAddressAccount(owner) && entry.bytes > 0)) entries.delete(taskId);
      else if (entry !== undefined) entry.expiresAt = this.clock() + keptMs;
    }
  }

  async unretired(owner: string, limit: number): Promise<readonly TaskIndexPosition[]> {
    const live = [...this.#ownerOf(owner).entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
    return live.slice(0, limit).map(({ taskId, createdAt }) => ({ taskId, createdAt }));
  }

  async claimKey(owner: string, key: string, { taskId, fingerprint }: KeyClaim, ttlMs: number): Promise<HeldClaim> {
    const { keys } = this.#ownerOf(owner);
    const earlier = keys.get(key);
    if (earlier !== undefined && earlier.expiresAt > this.clock()) return earlier.claim;
    const claim = { taskId, fingerprint, isUsed: false };
    keys.set(key, { claim, expiresAt: this.clock() + ttlMs });
    return claim;
  }

  async keepKey(owner: string, key: string, taskId: TaskId, ttlMs: number): Promise<void> {
    const { keys } = this.#ownerOf(owner);
    const held = keys.get(key);
    if (held?.claim.taskId === taskId) keys.set(key, { claim: { ...held.claim, isUsed: true }, expiresAt: this.clock() + ttlMs });
  }

  async page(owner: string, limit: number, after?: TaskIndexPosition): Promise<TaskIndexPage> {
    const following = [...this.#ownerOf(owner).entries.values()]
      .filter(({ implicit }) => !implicit)
      .filter((entry) => after === undefined || newestFirst(after, entry) < 0)
      .sort(newestFirst);
    const tasks = following.slice(0, limit).map(({ taskId, createdAt }) => ({ taskId, createdAt }));
    const last = tasks.at(-1);
    return last !== undefined && following.length > limit ? { tasks, next: last } : { tasks };
  }

  async use(owner: string): Promise<OwnerUse> {
    const { entries, minute } = this.#ownerOf(owner);
    this.#dropExpired(entries);
    const unfinished = [...entries.values()].filter(({ expiresAt }) => expiresAt === undefined);
    const tasksInMinute = minute.endsAt > this.clock() ? minute.count : 0;
    return { unfinishedTasks: unfinished.length, tasksInMinute, historyBytes: totalOf(entries) };
  }

  async forget(owner: string, taskIds: readonly TaskId[]): Promise<void> {
    for (const taskId of taskIds) this.#ownerOf(owner).entries.delete(taskId);
  }

  #dropExpired(entries: Map<TaskId, Entry>): void {
    const now = this.clock();
    for (const { taskId, expiresAt } of entries.values()) if (expiresAt !== undefined && expiresAt <= now) entries.delete(taskId);
  }

  #ownerOf(owner: string): Owner {
    const found = this.#owners.get(owner) ?? { entries: new Map(), keys: new Map(), minute: { count: 0, endsAt: 0 } };
    this.#owners.set(owner, found);
    return found;
  }
}

function totalOf(entries: ReadonlyMap<TaskId, Entry>): number {
  return [...entries.values()].reduce((total, { bytes }) => total + bytes, 0);
}
