/** Lists the ids of the tasks that a process holds, where its watchdog thread can read them while the main thread blocks. */
import { asTask } from './current-task.js';

const ID_BYTES = 36;

/** Slots for ids in shared memory. */
export class HeldTasks {
  private readonly bytes: Buffer;
  private readonly free: number[];

  /** @param memory given by another thread's `memory`; new if absent */
  constructor(
    slots: number,
    readonly memory = new SharedArrayBuffer(slots * ID_BYTES),
  ) {
    this.bytes = Buffer.from(memory);
    this.free = Array.from({ length: slots }, (_, slot) => slot);
  }

  /** Holds a task while `work`, the code of the task, runs. A task that finds no free slot is not listed. */
  async during<T>(taskId: string, work: () => Promise<T>): Promise<T> {
    const slot = this.free.pop();
    if (slot === undefined) return asTask(taskId, work);
    this.bytes.write(taskId, slot * ID_BYTES, ID_BYTES, 'latin1');
    try {
      return await asTask(taskId, work);
    } finally {
      this.bytes.fill(0, slot * ID_BYTES, (slot + 1) * ID_BYTES);
      this.free.push(slot);
    }
  }

  /** All ids that are held. */
  list(): readonly string[] {
    const ids: string[] = [];
    for (let at = 0; at < this.bytes.length; at += ID_BYTES)
      if (this.bytes[at] !== 0) ids.push(this.bytes.toString('latin1', at, at + ID_BYTES));
    return ids;
  }
}
