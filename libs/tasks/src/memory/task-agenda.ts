import type { Clock } from '../ports/clock.js';
import type { TaskId } from '../domain/task-id.js';
import type { OverdueEntries } from '../ports/task-load.js';
import type { AgendaVerdict, Suspicion, TakenEntries, TaskAgenda } from '../ports/task-agenda.js';

interface Entry {
  at: number;
  isLeased: boolean;
}

/** `TaskAgenda` in memory. */
export class MemoryTaskAgenda implements TaskAgenda {
  readonly shards = 1;
  readonly #entries = new Map<TaskId, Entry>();

  constructor(private readonly clock: Clock) {}

  async date(taskId: TaskId, inMs: number): Promise<void> {
    const at = this.clock() + inMs;
    const was = this.#entries.get(taskId);
    if (was === undefined || was.isLeased || at < was.at) this.#entries.set(taskId, { at, isLeased: false });
  }

  async count(): Promise<number> {
    return this.#entries.size;
  }

  remove(taskId: TaskId): void {
    this.#entries.delete(taskId);
  }

  async flush(): Promise<void> {
    // Nothing waits: removing is immediate.
  }

  async take(shard: number, limit: number, leaseMs: number): Promise<TakenEntries> {
    const now = this.clock();
    const due = [...this.#entries].filter(([, { at }]) => at <= now).sort(([, left], [, right]) => left.at - right.at);
    const taskIds = due.slice(0, limit).map(([taskId]) => taskId);
    const lease = now + leaseMs;
    for (const taskId of taskIds) this.#entries.set(taskId, { at: lease, isLeased: true });
    return { shard, taskIds, lease, total: this.#entries.size };
  }

  async settle({ lease }: TakenEntries, verdicts: ReadonlyMap<TaskId, AgendaVerdict>): Promise<void> {
    const now = this.clock();
    for (const [taskId, verdict] of verdicts) {
      const entry = this.#entries.get(taskId);
      if (entry?.isLeased !== true || entry.at !== lease) continue;
      if (verdict === 'remove') this.#entries.delete(taskId);
      else this.#entries.set(taskId, { at: now + verdict, isLeased: false });
    }
  }

  async ensure(taskIds: readonly TaskId[], suspicion: Suspicion): Promise<void> {
    const now = this.clock();
    for (const taskId of taskIds) {
      const was = this.#entries.get(taskId);
      if (was === undefined || (suspicion === 'all' && now < was.at)) this.#entries.set(taskId, { at: now, isLeased: false });
    }
  }

  /** What is due: see `TaskLoad`. */
  overdue(): OverdueEntries {
    const now = this.clock();
    const due = [...this.#entries.values()].filter(({ at }) => at <= now);
    return { count: due.length, ...(due.length > 0 && { oldestMs: now - Math.min(...due.map(({ at }) => at)) }) };
  }

  async heal(): Promise<void> {
    // Nothing is ever lost without everything else.
  }
}
