/**
 * Checks whether today's code fits a recorded history, in memory: the engine itself replays the workflow against the record up to its end.
 * No step runs, and nothing is asked or written: when the workflow calls something that is not recorded, the replay ends. Code outside of
 * recorded operations does run, as in every replay.
 */
import { largeValueOf } from '../domain/large-value.js';
import { shortened } from '../domain/text.js';
import { isDeepStrictEqual } from 'node:util';
import { isEnd } from '../domain/event-kinds.js';
import type { TaskEvent } from '../domain/events.js';
import { fold } from '../domain/evolve.js';
import type { OperationKindName } from '../domain/operation-kinds.js';
import type { TaskState } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { HistoryRoom } from '../history/history-room.js';
import type { TaskStore } from '../ports/task-store.js';
import { fromStored } from '../ports/stored-event.js';
import { NODE_TIMERS } from '../ports/timers.js';
import { PassJournal } from '../replay/pass-journal.js';
import type { PassRun } from '../replay/pass-run.js';
import { type PassDependencies, startPass } from '../replay/run-pass.js';
import type { TaskContext } from '../replay/task-context.js';
import { WorkerLease } from '../replay/worker-lease.js';
import type { Workflow } from '../replay/workflow.js';
import { TaskWriter } from '../write/task-writer.js';
import { withStep } from './step-watch.js';
import { wrappedStore } from '../ports/wrapped-store.js';

/** What is replayed, and with what. */
export interface ReplayOptions extends Pick<PassDependencies, 'sessionValues' | 'owners'> {
  /** In memory, empty. Nothing is written to it. */
  readonly store: TaskStore;
  readonly taskId: string;
  /** From the first event of a stream on. */
  readonly events: readonly TaskEvent[];
  readonly workflow: Workflow;
  /** How long the workflow may await something that is no operation, milliseconds. @defaultValue 10,000 */
  readonly patienceMs?: number;
}

/** An operation of the record. */
export interface RecordedOperation {
  readonly kind: OperationKindName;
  readonly key: string;
  /** Version of the first event about it. */
  readonly version: number;
}

/** Whether the code fits the history. */
export interface ReplayVerdict {
  readonly fits: boolean;
  /** The result, in one sentence. */
  readonly message: string;
  /** The unrecorded call of the code: an operation, or the end. */
  readonly called?: string;
  /** The operation that is recorded in its place. */
  readonly recorded?: RecordedOperation;
  /** The version of the event up to which it fits, or the one where it does not. */
  readonly version?: number;
}

const PATIENCE_MS = 10_000;

/** Its code is none that has recorded anything: what it throws in between is no end. */
const REPLAYER = { workerId: 'replay', version: 'replay' } as const;

/** The end that the workflow itself has come to; others may have ended it anywhere. */
const OWN_END = 'TaskCompleted';

/** @throws RangeError when there is no event, or one refers to a large value: these are not in a history */
export async function replayHistory(options: ReplayOptions): Promise<ReplayVerdict> {
  return new Replay(options).run();
}

class Replay {
  private readonly end: TaskEvent | undefined;
  /** Of the last event that is replayed. */
  private readonly version: number;
  private readonly state: TaskState;
  /** Its first unrecorded call. */
  private called: string | undefined;
  private ended: TaskEvent | undefined;
  private pass: PassRun | undefined;

  constructor(private readonly options: ReplayOptions) {
    const { events } = options;
    const last = events.at(-1);
    if (last === undefined) throw new RangeError('A history without events cannot be replayed.');
    this.end = isEnd(last.type) ? last : undefined;
    const apart = events.findIndex((event) => largeValueOf(event) !== undefined);
    if (apart !== -1)
      throw new RangeError(`A history with large values cannot be replayed: event ${apart + 1} refers to one, which is kept apart.`);
    const recorded = fold(this.end === undefined ? events : events.slice(0, -1));
    this.version = recorded.version;
    this.state = runningState(recorded, last.at);
  }

  async run(): Promise<ReplayVerdict> {
    const { sessionValues, owners, workflow, patienceMs = PATIENCE_MS } = this.options;
    const journal = await this.journal();
    const { updatedAt } = this.state;
    const pass = startPass(journal, {
      sessionValues,
      owners,
      // What follows the record does not happen.
      children: { atOnce: Number.POSITIVE_INFINITY, start: () => new Promise(() => undefined) },
      signals: { open: () => this.unsent(), send: () => this.unsent() },
      workflow: withStep(workflow, (context) => this.stepless(context)),
      clock: () => updatedAt,
      timers: NODE_TIMERS,
      chance: { random: () => 1, uuid: () => crypto.randomUUID() },
      stepTimeoutMs: Number.POSITIVE_INFINITY,
      slowStepMs: Number.POSITIVE_INFINITY,
      lease: WorkerLease.forever(),
    });
    this.pass = pass;
    let isStuck = false;
    const patience = setTimeout(() => {
      isStuck = true;
      pass.lose();
    }, patienceMs);
    const end = await pass.over.finally(() => clearTimeout(patience));
    if (end === 'misfit') return this.misfitOf(pass);
    return isStuck ? this.stuck() : this.verdict();
  }

  private async journal(): Promise<PassJournal> {
    const { store } = this.options;
    const taskId = this.options.taskId as TaskId;
    const events = wrappedStore(store.events, {
      append: async ({ events: stored }) => {
        for (const event of stored.map(fromStored)) this.note(event);
        return 'appended';
      },
    });
    const onError = (): void => undefined;
    const writer = new TaskWriter({ store: { ...store, events }, clock: () => this.state.updatedAt, onError });
    const place = await new HistoryRoom().enter(0, new AbortController().signal);
    const { passNumber: pass, updatedAt: at } = this.state;
    return new PassJournal(writer, taskId, { state: this.state, bytes: 0, place }, { type: 'ClaimPass', at, pass, ...REPLAYER });
  }

  /** The record that it would write. */
  private note(event: TaskEvent): void {
    if (isEnd(event.type) || event.type === 'TaskContinued' || event.type === 'PassFailed') this.ended ??= event;
    else if ('key' in event.data) this.call(event.data.key);
  }

  private call(key: string): void {
    this.called ??= key;
    this.pass?.lose();
  }

  private stepless(context: TaskContext): TaskContext['step'] {
    return (name, _run, options) =>
      context.step(
        name,
        () => {
          this.call(this.pass?.runningSteps.at(-1) ?? name);
          return new Promise<never>(() => undefined);
        },
        options,
      );
  }

  /** What is outside of the record is not done. */
  private unsent(): Promise<never> {
    this.call(this.pass?.runningSteps.at(-1) ?? 'signal');
    return new Promise<never>(() => undefined);
  }

  private misfitOf({ misfit = '', misfitAt }: PassRun): ReplayVerdict {
    const key = misfitAt?.recorded;
    const operation = key === undefined ? undefined : this.state.operations.get(key);
    if (key === undefined || operation === undefined) return { fits: false, message: `${misfit}.` };
    const recorded = { kind: operation.kind, key, version: operation.since };
    return {
      fits: false,
      message: `${misfit} (version ${operation.since}).`,
      called: misfitAt?.called ?? '',
      recorded,
      version: operation.since,
    };
  }

  private stuck(): ReplayVerdict {
    const message = 'The workflow awaits something that is no operation of its context, so the replay cannot continue.';
    return { fits: false, message, version: this.version };
  }

  private verdict(): ReplayVerdict {
    const { end, ended, called, version } = this;
    if (end?.type !== OWN_END) {
      if (called !== undefined) return { fits: true, message: `The workflow fits, and would continue with "${called}".`, called, version };
      return { fits: true, message: `The workflow fits, and ${ended === undefined ? 'waits' : 'ends'} where the history does.`, version };
    }
    const at = version + 1;
    const misfit = (what: string, message: string): ReplayVerdict => ({ fits: false, message, called: what, version: at });
    if (called !== undefined)
      return misfit(called, `The workflow calls "${called}" where the history has come to its end (version ${at}).`);
    if (ended === undefined) return misfit('a wait', `The workflow waits where the history has come to its end (version ${at}).`);
    if (isSameEnd(end, ended)) return { fits: true, message: 'The workflow fits, and ends as it has.', version: at };
    const message = `The workflow ends otherwise than the history (version ${at}): ${shown(ended)} instead of ${shown(end)}.`;
    return misfit('the end of the workflow', message);
  }
}

/** The state in which a worker replays the task once more: it runs, after any last pass. */
function runningState(state: TaskState, at: number): TaskState {
  const { phase } = state.pass;
  const data = {
    pass: phase === 'running' ? state.passNumber : state.passNumber + 1,
    epoch: state.epoch + 1,
    attempt: state.attempt,
    ...REPLAYER,
  };
  return fold([{ type: 'PassStarted', at, data }], state);
}

function isSameEnd(end: TaskEvent, ended: TaskEvent): boolean {
  return end.type === ended.type && isDeepStrictEqual(JSON.parse(JSON.stringify(end.data)), JSON.parse(JSON.stringify(ended.data)));
}

const MAX_SHOWN = 200;

function shown({ type, data }: TaskEvent): string {
  return `${type} ${shortened(JSON.stringify(data), MAX_SHOWN)}`;
}
