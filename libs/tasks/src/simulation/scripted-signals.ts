/** Sends the signals of a simulated task: each at its time, whether or not the task waits for it. */
import type { Json } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';
import type { TaskService } from '../engine/task-service.js';
import type { VirtualClock } from './virtual-clock.js';

/** A signal that comes from outside. */
export interface ScriptedSignal {
  readonly name: string;
  readonly value: Json;
  /** When it comes, milliseconds of the clock of the test from the beginning of the task. Default 0: before anything waits for it. */
  readonly afterMs?: number;
  /** The id of the delivery: of several with one id, the task takes one. */
  readonly id?: string;
  /** The called tool whose task gets it: the first one that has not ended, once there is one. Default: the tool under test. */
  readonly tool?: string;
}

/** Finds the task that gets a signal. @param tool nothing for the tool under test */
type FindTask = (tool: string | undefined) => TaskId | Promise<TaskId | undefined>;

/** Sends a signal now, or after a time from now: for a test whose steps play the other system. */
export type SendScripted = (signal: ScriptedSignal) => void;

/** Signals of a test: a list, or a function that gets what sends them, at the beginning of each run. */
export type SignalScript = readonly ScriptedSignal[] | ((send: SendScripted) => void);

/** The signals of one run. */
export class ScriptedSignals {
  private readonly due: ScriptedSignal[] = [];

  constructor(
    private readonly script: SignalScript,
    private readonly clock: VirtualClock,
    private readonly onDue: () => void,
  ) {}

  /** Begins, when the task does. */
  start(): void {
    const send: SendScripted = (signal) => {
      const { afterMs = 0 } = signal;
      const give = (): void => {
        this.due.push(signal);
        this.onDue();
      };
      if (afterMs > 0) this.clock.after(afterMs, give);
      else give();
    };
    if (typeof this.script === 'function') this.script(send);
    else for (const signal of this.script) send(signal);
  }

  /** Sends the next signal that is due, and whose task there is. @returns whether there was one */
  async send(service: Pick<TaskService, 'signal'>, owner: string, findTask: FindTask): Promise<boolean> {
    for (const [index, { name, value, id, tool }] of this.due.entries()) {
      const taskId = await findTask(tool);
      if (taskId === undefined) continue;
      this.due.splice(index, 1);
      await service.signal(taskId, { name, value, id, via: 'simulation' }, { owner });
      return true;
    }
    return false;
  }
}
