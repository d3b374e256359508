/**
 * Simulates one task from its creation to its end, with the tasks that it calls, in memory and without waiting: everything except the queue, the time and the client is
 * real. The next action follows from the record, so there are no jobs; the time continues when nothing else does.
 */
import type { TaskCreatedData, TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import { nextDeadline } from '../domain/next-deadline.js';
import { nextPass } from '../domain/next-pass.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { mayLeaveSomething } from '../engine/clean-ups.js';
import type { ChildOptions } from '../engine/start-child.js';
import { createTaskService } from '../engine/create-task-service.js';
import { expire } from '../engine/task-look.js';
import type { TaskService } from '../engine/task-service.js';
import { TaskRunner, type TaskRunnerOptions } from '../engine/task-runner.js';
import type { TaskStore } from '../ports/task-store.js';
import type { AppendRequest } from '../ports/event-store.js';
import { fromStored } from '../ports/stored-event.js';
import type { Randomness } from '../replay/context-operation.js';
import { presentStep } from '../replay/present-step.js';
import type { Workflow, WorkflowRegistry } from '../replay/workflow.js';
import { TaskWriter } from '../write/task-writer.js';
import { Calm } from './calm.js';
import { whileWatched } from './loop-watch.js';
import { RecordingStore } from './recording-store.js';
import { type AnswerScript, ScriptedClient } from './scripted-client.js';
import { ScriptedSignals, type SignalScript } from './scripted-signals.js';
import type { SimulatedRun } from './simulated-run.js';
import { StepWatch } from './step-watch.js';
import type { VirtualClock } from './virtual-clock.js';
import { type KillSide, WorkerLife } from './worker-life.js';

/** At which append of its workers a task loses its worker. */
export interface KillPlan {
  /** 1 for the first append. */
  readonly append: number;
  readonly side: KillSide;
}

/** The tools that a simulated task may call. */
export interface CallableTools {
  readonly workflows: WorkflowRegistry;
  readonly children: ChildOptions;
}

/** What is simulated. */
export interface SimulationOptions extends Pick<TaskRunnerOptions, 'sessionValues' | 'owners'> {
  /** In memory, at the clock. */
  readonly store: TaskStore;
  readonly clock: VirtualClock;
  readonly task: TaskCreatedData;
  readonly workflow: Workflow;
  /** The tools that it may call, and their workflows. @defaultValue none */
  readonly callable?: CallableTools | undefined;
  readonly script: AnswerScript;
  /** Signals from outside. @defaultValue none */
  readonly signals?: SignalScript | undefined;
  readonly kill?: KillPlan | undefined;
  /** How long a step, or code outside of steps, may await something real before the time continues, milliseconds. */
  readonly patienceMs: number;
  /** How long code may run without yielding, milliseconds. Code that runs for longer ends the process, with its stack on standard error. */
  readonly maxBlockMs: number;
  /** Called with what the author of the tool should know. */
  readonly onWarning: (message: string) => void;
}

/** Addresses of a simulated task begin so; nothing is sent there. */
const PUBLIC_URL = 'https://longhaul.example/mcp';

/** The same in each simulation, so that what depends on it is. */
const TASK_ID = '00000000-0000-4000-8000-000000000001' as TaskId;

/**
 * Runs a task to its end.
 *
 * @throws what the script throws; `StuckTask` when the task waits for something that never comes
 */
export function simulateTask(options: SimulationOptions): Promise<SimulatedRun> {
  return new SimulatedTask(options).run();
}

/** The task waits for something that never comes. */
export class StuckTask extends Error {
  override readonly name = 'StuckTask';
}

class SimulatedTask {
  private readonly appends: (readonly TaskEvent[])[] = [];
  private readonly errors: unknown[] = [];
  private readonly calm: Calm;
  private readonly watch: StepWatch;
  private readonly client: ScriptedClient;
  private readonly signals: ScriptedSignals;
  private readonly recording: RecordingStore;
  private readonly service: TaskService;
  private readonly writer: TaskWriter;
  private life: WorkerLife;
  private lives = 0;
  private killedAt: number | undefined;
  /** Whether a worker has died, so that messages between tasks may be lost. */
  private hasLost = false;
  /** Tasks that have ended. */
  private readonly ended = new Set<TaskId>();

  constructor(private readonly options: SimulationOptions) {
    const { clock, script } = options;
    this.watch = new StepWatch(() => this.calm.disturb());
    this.calm = new Calm({ clock, watch: this.watch, patienceMs: options.patienceMs });
    this.client = new ScriptedClient(script, clock);
    this.signals = new ScriptedSignals(options.signals ?? [], clock, () => this.calm.disturb());
    this.recording = new RecordingStore(options.store, () => this.calm.disturb());
    const { store } = this.recording;
    const onError = (error: unknown): void => void this.errors.push(error);
    const cleansUp = mayLeaveSomething((name) => this.workflowOf(name));
    this.service = createTaskService(store, { clock: clock.now, newTaskId: () => TASK_ID, onError, cleansUp });
    this.writer = new TaskWriter({ store, clock: clock.now, onError, cleansUp });
    this.life = this.newLife();
  }

  run(): Promise<SimulatedRun> {
    const { maxBlockMs } = this.options;
    return whileWatched({ maxBlockMs, loopError: (blockedMs) => this.loopError(blockedMs) }, () => this.toEnd());
  }

  private async toEnd(): Promise<SimulatedRun> {
    const { clock, task } = this.options;
    await this.service.create(task);
    this.signals.start();
    let state = await this.state(TASK_ID);
    for (; state.outcome === undefined; state = await this.state(TASK_ID)) await this.advance(state);
    await this.cleanUp();
    const { outcome, spent } = state;
    const { appends, killedAt } = this;
    const { history } = this.recording;
    return { outcome, spent, history, appends, killedAt, asked: this.client.asked, stepRuns: this.watch.begun, elapsedMs: clock.elapsedMs };
  }

  private async advance(first: TaskState): Promise<void> {
    if (await this.serveClient(first)) return;
    if (this.hasLost) return this.makeUpForLost();
    let at = this.nextMoment(first);
    const deadlines: (readonly [TaskId, number])[] = [];
    for (const taskId of this.recording.tasks) {
      if (this.ended.has(taskId)) continue;
      const state = taskId === TASK_ID ? first : await this.state(taskId);
      if (state.outcome !== undefined) this.ended.add(taskId);
      // Its worker has died: it is not running here.
      if (state.pass.phase === 'running') return this.deliver(taskId, state.passNumber, true);
      const next = nextPass(state);
      if (next !== undefined && next.dueAt <= this.options.clock.now()) return this.deliver(taskId, next.pass, false);
      const deadline = nextDeadline(state)?.at ?? Number.POSITIVE_INFINITY;
      deadlines.push([taskId, deadline]);
      at = Math.min(at, deadline, next?.dueAt ?? Number.POSITIVE_INFINITY);
    }
    if (!Number.isFinite(at)) throw new StuckTask(`${this.tool} waits for ${waitedFor(first)}, which never comes.`);
    await this.goTo(at, first);
    for (const [taskId, deadline] of deadlines) if (deadline <= at) await expire(this.writer, taskId);
  }

  /** Does what the sweep of workers does: it passes on what a dead worker has recorded and not told other tasks. */
  private async makeUpForLost(): Promise<void> {
    this.hasLost = false;
    const views = await this.recording.store.events.views(this.recording.tasks, 'operator');
    for (const view of views) {
      if (view?.ending === undefined) await (view && this.writer.family.look(view));
      else await this.writer.family.afterEnd(view);
    }
  }

  /** Runs a pass on the present worker, or a new one if that has died. */
  private async deliver(taskId: TaskId, pass: number, redelivered: boolean): Promise<void> {
    const runner = await this.runner(taskId);
    const { life } = this;
    let isOver = false;
    const work = runner.handle({ job: { taskId, pass }, redelivered, lost: redelivered, signal: life.signal }).finally(() => {
      isOver = true;
      this.calm.disturb();
    });
    life.signal.addEventListener('abort', () => this.calm.disturb());
    const isDone = (): boolean => isOver || life.signal.aborted;
    try {
      while (!isDone()) {
        await this.calm.until(isDone);
        if (!isDone() && !(await this.serveClient(await this.state(TASK_ID)))) await this.letTimePass();
      }
      if (!life.signal.aborted) await work;
    } finally {
      if (!isOver) life.die();
      runner.stop();
      if (life.signal.aborted) this.bury(work);
    }
  }

  /** While a pass runs and nothing continues but what waits. */
  private async letTimePass(): Promise<void> {
    const { running, isBusy } = this.calm;
    if (running.length === 0)
      throw new StuckTask(
        `${this.tool} awaits something that is no operation of its context${this.position()}: put it into context.step, or use context.sleep for a time.`,
      );
    const state = await this.state(TASK_ID);
    const at = this.nextMoment(state);
    const steps = running.map((key) => `step "${key}"`).join(', ');
    if (!Number.isFinite(at) && !isBusy) throw new StuckTask(`${this.tool}: ${steps} waits for what never comes.`);
    if (isBusy) this.warnOfSlow(steps, Number.isFinite(at));
    if (Number.isFinite(at)) await this.goTo(at, state);
  }

  private warnOfSlow(steps: string, goesOn: boolean): void {
    const then = goesOn ? 'the clock continues at what is due next' : 'nothing else is due';
    this.options.onWarning(
      `${this.tool}: ${steps} awaited something real for more than ${this.options.patienceMs} ms (patienceMs); ${then}. Let what is slow wait by the clock of the test: clock.wait(ms).`,
    );
  }

  /** Sends a signal that is due, or lets the client answer a request. @returns whether it did */
  private async serveClient(state: TaskState): Promise<boolean> {
    await this.client.look(state);
    const { owner } = this.options.task;
    const receiver = (tool: string | undefined) => (tool === undefined ? TASK_ID : this.recording.openTaskOf(tool));
    if (await this.signals.send(this.service, owner, receiver)) return this.woken();
    const given = this.client.nextAnswer();
    if (given === undefined) return false;
    await this.service.provideInput(TASK_ID, given.key, () => given.answer, { owner }, { via: 'simulation' });
    return this.woken();
  }

  private woken(): true {
    for (const taskId of this.recording.tasks) this.life.wake(taskId);
    return true;
  }

  private nextMoment(state: TaskState): number {
    return Math.min(this.options.clock.nextAt, nextDeadline(state)?.at ?? Number.POSITIVE_INFINITY);
  }

  private async goTo(at: number, state: TaskState): Promise<void> {
    this.options.clock.advanceTo(at);
    const deadline = nextDeadline(state);
    if (deadline !== undefined && deadline.at <= at) {
      await expire(this.writer, TASK_ID);
      this.life.wake(TASK_ID);
    }
    this.calm.disturb();
  }

  private async state(taskId: TaskId): Promise<TaskState> {
    const [error] = this.errors;
    if (error !== undefined) throw error;
    return fold(await this.recording.store.events.read(taskId));
  }

  private get tool(): string {
    return `Tool "${this.options.task.tool}"`;
  }

  /** Called within the loop, so that it has the stack of the loop. */
  private loopError(blockedMs: number): Error {
    const step = presentStep();
    const where = step === undefined ? `its code outside of steps${this.position()}` : `step "${step.key}"`;
    return new Error(
      `${this.tool}: ${where} has run for ${blockedMs} ms without yielding (maxBlockMs is ${this.options.maxBlockMs}): it loops for ever, or computes for so long at once that a worker would be ended for it.`,
    );
  }

  private position(): string {
    const last = this.recording.history.findLast(({ data }) => 'key' in data);
    return last !== undefined && 'key' in last.data ? ` (after "${last.data.key}")` : ' (before its first operation)';
  }

  private async runner(taskId = TASK_ID): Promise<TaskRunner> {
    if (this.life.signal.aborted) this.life = this.newLife();
    const { clock, callable, sessionValues, owners } = this.options;
    const runner = new TaskRunner({
      store: this.life.store,
      sessionValues,
      owners,
      workflows: (name) => this.workflowOf(name, taskId),
      children: callable?.children,
      workerId: this.life.workerId,
      version: 'simulated',
      repairs: false,
      clock: clock.now,
      timers: clock,
      chance: await this.chance(taskId),
      stepTimeoutMs: Number.POSITIVE_INFINITY,
      // Otherwise the duration of a step that waits for something real would decide what the record contains.
      slowStepMs: Number.POSITIVE_INFINITY,
      publicUrl: PUBLIC_URL,
      onError: (error) => void this.errors.push(error),
    });
    await runner.start();
    return runner;
  }

  private workflowOf(name: string, taskId = TASK_ID): Workflow | undefined {
    const { workflow, callable } = this.options;
    const found = name === workflow.name ? workflow : callable?.workflows(name);
    return found && this.watch.watch(found, taskId === TASK_ID ? '' : `${name}: `);
  }

  /** The draws are the same each time, and new ones follow the recorded ones. */
  private async chance(taskId: TaskId): Promise<Randomness> {
    const history = taskId === TASK_ID ? this.recording.history : await this.recording.store.events.read(taskId);
    let drawn = history.filter(({ data }) => 'key' in data && data.key.startsWith('$uuid')).length;
    const ofTask = String(Math.max(0, this.recording.tasks.indexOf(taskId))).padStart(4, '0');
    const uuid = (): string => {
      drawn += 1;
      return `00000000-${ofTask}-4000-8000-${String(drawn).padStart(12, '0')}`;
    };
    return { random: () => 1, uuid };
  }

  private newLife(): WorkerLife {
    this.lives += 1;
    return new WorkerLife(`worker-${this.lives}`, this.recording.store, (append) => this.killOf(append));
  }

  private killOf({ events }: AppendRequest): KillSide | undefined {
    const { kill } = this.options;
    this.appends.push(events.map(fromStored));
    if (kill === undefined || this.killedAt !== undefined || this.appends.length !== kill.append) return undefined;
    this.killedAt = kill.append;
    return kill.side;
  }

  /** Work that a dead worker had begun has ended: nothing of it comes back. */
  private bury(work: Promise<unknown>): void {
    work.catch(() => undefined);
    this.hasLost = true;
    this.watch.forgetRunning();
    this.options.clock.abandonWaits();
  }

  /** Cleans up after an interrupted task, as a worker does. */
  private async cleanUp(): Promise<void> {
    const { sideJobs } = await this.runner();
    for (const { kind, data } of this.recording.sideJobs) await sideJobs[kind]?.(data, 0);
    const [error] = this.errors;
    if (error !== undefined) throw error;
  }
}

function waitedFor({ pass }: TaskState): string {
  return pass.phase === 'suspended' ? pass.waitingFor.map((key) => `"${key}"`).join(', ') : 'something';
}
