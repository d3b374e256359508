import type { Clock } from '../ports/clock.js';
import type { TaskId } from '../domain/task-id.js';
import type { Unsubscribe } from '../ports/event-store.js';
import { MemoryChannels } from './channels.js';
import { groupNamed, groupNameOf, mergedTask, type ParkedGroup, type ParkedTask, type ParkedTasks } from '../ports/parked-tasks.js';

interface Entry {
  readonly task: ParkedTask;
  readonly since: number;
  readonly group: string;
}

const CHANNEL = 'parked';

/** `ParkedTasks` in memory. */
export class MemoryParkedTasks implements ParkedTasks {
  readonly #entries = new Map<TaskId, Entry>();
  readonly #channels = new MemoryChannels<string>();

  constructor(private readonly clock: Clock) {}

  async park(task: ParkedTask): Promise<void> {
    const known = this.#entries.get(task.taskId);
    if (known !== undefined && known.task.attemptSince > task.attemptSince) return;
    const isSame = known?.task.attemptSince === task.attemptSince;
    const parked = isSame ? mergedTask(known.task, task) : task;
    const group = groupNameOf(parked);
    this.#entries.set(task.taskId, { task: parked, since: isSame ? known.since : this.clock(), group });
    this.#channels.publish(CHANNEL, group);
  }

  async groups(): Promise<readonly ParkedGroup[]> {
    return [...new Set([...this.#entries.values()].map(({ group }) => group))].toSorted().map(groupNamed);
  }

  async take({ name }: ParkedGroup, limit: number, parkedForMs = 0): Promise<readonly ParkedTask[]> {
    const latest = this.clock() - parkedForMs;
    const taken = [...this.#entries.values()]
      .filter(({ group, since }) => group === name && since <= latest)
      .sort((left, right) => left.since - right.since)
      .slice(0, limit)
      .map(({ task }) => task);
    for (const { taskId } of taken) this.#entries.delete(taskId);
    return taken;
  }

  async onParked(listener: (group: ParkedGroup | undefined) => void): Promise<Unsubscribe> {
    return this.#channels.add(CHANNEL, (name) => listener(groupNamed(name)));
  }
}
