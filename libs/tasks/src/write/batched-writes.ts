import type { TaskId } from '../domain/task-id.js';

/** Dependencies of batched writes. */
export interface BatchedWritesDeps<Command> {
  /** Writes commands to a task, with one append: all of them or none. */
  readonly write: (taskId: TaskId, commands: readonly Command[]) => Promise<unknown>;
  readonly bytesOf: (command: Command) => number;
  /** A batch of more than one command has at most this many bytes. */
  readonly maxBytes: number;
}

interface Waiting<Command> {
  readonly command: Command;
  readonly done: PromiseWithResolvers<void>;
}

/**
 * Writes commands of this process to tasks: the first at once, and what comes while a write to the same task is on its way with one append
 * after it. Nobody waits for others to come.
 */
export class BatchedWrites<Command> {
  private readonly waiting = new Map<TaskId, Waiting<Command>[]>();

  constructor(private readonly deps: BatchedWritesDeps<Command>) {}

  /** Resolves when the command is written. @throws the error of a write that had this command alone, or failed for all */
  async write(taskId: TaskId, command: Command): Promise<void> {
    const one = { command, done: Promise.withResolvers<void>() };
    const before = this.waiting.get(taskId);
    if (before === undefined) {
      this.waiting.set(taskId, [one]);
      void this.writeAll(taskId);
    } else before.push(one);
    await one.done.promise;
  }

  private async writeAll(taskId: TaskId): Promise<void> {
    for (let rest = this.waiting.get(taskId) ?? []; rest.length > 0; rest = this.waiting.get(taskId) ?? []) {
      const batch = rest.slice(0, this.countOf(rest));
      this.waiting.set(taskId, rest.slice(batch.length));
      await this.writeBatch(taskId, batch);
    }
    this.waiting.delete(taskId);
  }

  private async writeBatch(taskId: TaskId, batch: readonly Waiting<Command>[]): Promise<void> {
    try {
      await this.deps.write(
        taskId,
        batch.map(({ command }) => command),
      );
      for (const { done } of batch) done.resolve();
    } catch (error) {
      const [one] = batch;
      if (batch.length === 1) one?.done.reject(error);
      // One of them may be the reason.
      else for (const each of batch) await this.writeBatch(taskId, [each]);
    }
  }

  /** How many of the first fit into one batch, at least one. */
  private countOf(waiting: readonly Waiting<Command>[]): number {
    let bytes = 0;
    const first = waiting.findIndex(({ command }, index) => (bytes += this.deps.bytesOf(command)) > this.deps.maxBytes && index > 0);
    return first < 0 ? waiting.length : first;
  }
}
