/** Goes on with a recorded stream on the memory store, at a clock of its own, and notes which steps run. */
import { openMemoryStore } from '@longhaul/store-sqlite';
import { randomUUID } from 'node:crypto';
import { type Store, createOwnerContexts } from '@longhaul/sessions';
import { callableTool } from '@longhaul/mcp-features';
import {
  type ChildOutcome,
  createTaskService,
  type InputAnswer,
  type TaskContext,
  type TaskEvent,
  type TaskId,
  TaskRunner,
  type Workflow,
} from '@longhaul/tasks';
import { fold, nextPass, project, type TaskEventOf, type TaskState, TaskWriter, toStored, UNKNOWN_VERSION } from '@longhaul/tasks/testing';
import { historyFeatures } from '../../fixtures/history-workflows.js';
import type { History } from '../../fixtures/record-histories.js';
import { putBack, withLargeValues } from '../../support/large-values.js';
import { MemoryBlobs } from '../../support/memory-blobs.js';

/** More than any recorded task takes. */
const MAX_TURNS = 100;

/** A stream that goes on. */
export class Player {
  /** Keys of the steps whose functions ran here. */
  readonly ran: string[] = [];
  private readonly taskId = randomUUID() as TaskId;
  private readonly store: Store;
  private readonly blobs = new MemoryBlobs();
  private now = 0;
  private ends: ReadonlyMap<string, ChildOutcome> = new Map();
  private signals: readonly TaskEventOf<'SignalSent'>[] = [];

  private constructor(private readonly workflow: Workflow) {
    const memory = openMemoryStore({ clock: () => this.now });
    // What is due is read from the stream, so jobs are not needed.
    this.store = withLargeValues(this.blobs)({
      ...memory,
      queue: {
        add: async () => undefined,
        has: async () => [],
        recover: async () => undefined,
        addGivenBack: async () => undefined,
        withdraw: async () => undefined,
        addSideJob: async () => undefined,
        close: async () => undefined,
      },
    });
  }

  /** Begins where the recorded events end. @param values the parts of its large values */
  static async at(events: readonly TaskEvent[], workflow: Workflow, values: History['values'] = {}): Promise<Player> {
    const player = new Player(workflow);
    putBack(player.blobs, player.taskId, values);
    const state = fold(events);
    player.now = state.updatedAt;
    const { taskId } = player;
    const stored = events.map((event) => toStored(event));
    await player.store.events.append({
      taskId,
      expectedVersion: 0,
      events: stored,
      projection: project(taskId, state),
      epochAfter: state.epoch,
    });
    return player;
  }

  /**
   * Goes on until the task has ended or waits for an answer that is not among `answers`, or a task that is not among `ends`. @returns all its
   * events
   */
  async goOn(
    answers: ReadonlyMap<string, InputAnswer> = new Map(),
    signals: readonly TaskEventOf<'SignalSent'>[] = [],
    ends: ReadonlyMap<string, ChildOutcome> = new Map(),
  ): Promise<readonly TaskEvent[]> {
    this.signals = signals;
    this.ends = ends;
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      const events = await this.store.events.read(this.taskId);
      const state = fold(events);
      if (state.outcome !== undefined || !(await this.advance(state, answers))) return events;
    }
    throw new Error(`The task has not come to rest after ${MAX_TURNS} turns.`);
  }

  /** Sends the recorded signals again, each when the recorded task had it. */
  private async signal(state: TaskState): Promise<boolean> {
    const next = this.signals.find(({ data: { seq } }) => seq === state.signals.sent + 1);
    if (next === undefined || nextPass(state)?.dueAt === 0) return false;
    const { name, value, via } = next.data;
    const service = createTaskService(this.store, { clock: () => this.now, onError: fail });
    return service.signal(this.taskId, { name, value, via }, { owner: state.task?.owner ?? '' });
  }

  private async advance(state: TaskState, answers: ReadonlyMap<string, InputAnswer>): Promise<boolean> {
    if (state.pass.phase === 'running') return this.deliver(state.passNumber, true);
    for (const [key, operation] of state.operations) {
      const outcome = this.ends.get(key);
      if (operation.kind === 'child' && operation.status === 'created' && outcome !== undefined) {
        const writer = new TaskWriter({ store: this.store, clock: () => this.now, onError: fail });
        await writer.write(this.taskId, { type: 'EndChild', at: this.now, key, taskId: operation.taskId, outcome });
        return true;
      }
      const answer = answers.get(key);
      if (operation.status !== 'pending' || answer === undefined) continue;
      const service = createTaskService(this.store, { clock: () => this.now, onError: fail });
      return service.provideInput(this.taskId, key, () => answer, { owner: state.task?.owner ?? '' }, { via: 'test' });
    }
    if (await this.signal(state)) return true;
    const next = nextPass(state);
    if (next === undefined) return false;
    this.now = Math.max(this.now, next.dueAt);
    return this.deliver(next.pass, false);
  }

  private async deliver(pass: number, redelivered: boolean): Promise<boolean> {
    const runner = new TaskRunner({
      store: this.store,
      sessionValues: this.store.sessionState,
      owners: createOwnerContexts(this.store, fail),
      workflows: () => ({ ...this.workflow, run: (args, context) => this.workflow.run(args, this.watched(context)) }),
      children: {
        tool: (tool) => callableTool(historyFeatures, tool, 60_000),
        limitsOf: () => ({ concurrentTasks: 10, tasksPerMinute: 100, historyBytes: 1_000_000 }),
      },
      workerId: 'player',
      // As the histories, which were recorded before there were versions.
      version: UNKNOWN_VERSION,
      clock: () => this.now,
      onError: fail,
    });
    const signal = new AbortController().signal;
    await runner.handle({ job: { taskId: this.taskId, pass }, redelivered, signal });
    return true;
  }

  private watched(context: TaskContext): TaskContext {
    const step: TaskContext['step'] = (name, run, retry) =>
      context.step(
        name,
        (held) => {
          this.ran.push(held.idempotencyKey.slice(this.taskId.length + 1));
          return run(held);
        },
        retry,
      );
    // The signal is a getter, and stays one.
    return Object.defineProperty(Object.defineProperties({}, Object.getOwnPropertyDescriptors(context)), 'step', {
      value: step,
      enumerable: true,
    }) as TaskContext;
  }
}

function fail(error: unknown): never {
  throw error;
}
