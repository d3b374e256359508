/**
 * Derives the spans of a task from its record: one for the task, under it one for each pass and for each wait, and under each pass the
 * spans of its steps. A span is complete with the append that ends it, so that exactly one process reports it. A replay repeats steps
 * without recording them again, so they have no second span.
 */
import { isSuccess } from '../domain/child-events.js';
import { EVENT_KINDS, kindOf, type OperationEvent } from '../domain/event-kinds.js';
import type { TaskEvent, TaskEventOf } from '../domain/events.js';
import type { RecordedError } from '../domain/json.js';
import { OPERATION_KINDS } from '../domain/operation-kinds.js';
import type { TaskState } from '../domain/state.js';
import type { ObservedAppend } from '../ports/task-observer.js';
import { passSpanId, stepSpanId, type TaskTrace, taskSpanId, traceOfTask, waitSpanId } from './span-ids.js';
import type { TaskSpan } from './task-telemetry.js';

/** The attributes of the tool on spans; spans have no arguments and results. */
const TOOL = 'gen_ai.tool.name';

/** A pass that runs. */
type Running = Readonly<Record<'epoch' | 'startedAt' | 'pass' | 'attempt', number>> & { readonly workerId: string };

/** The endings of a span other than success. */
type Failure = { readonly type: string; readonly message?: string };

type Attributes = TaskSpan['attributes'];

/** Whether the event may complete a span. Taking a pass over completes that pass. */
function completes({ type }: TaskEvent, { before }: ObservedAppend): boolean {
  const role = kindOf(type)?.role;
  if (role === 'starts') return before.pass.phase === 'running';
  return role === 'rests' || role === 'settles' || role === 'ends' || type === 'TaskContinued';
}

/** The spans that the append completes. @param hashOf replaces the id of a task, because the id alone may be enough to read the task */
export function spansOf(append: ObservedAppend, hashOf: (taskId: string) => string): readonly TaskSpan[] {
  if (!append.events.some((event) => completes(event, append))) return [];
  const trace = traceOfTask(append.taskId, append.after.task);
  return trace.isSampled === false ? [] : new Derivation(append, trace, hashOf).spans();
}

/** Goes through the events of one append. */
class Derivation {
  readonly #spans: TaskSpan[] = [];
  readonly #common: Attributes;
  readonly #taskSpanId: string;
  #running: Running | undefined;

  constructor(
    private readonly append: ObservedAppend,
    private readonly trace: TaskTrace,
    hashOf: (taskId: string) => string,
  ) {
    const { before, after, taskId } = append;
    this.#common = { [TOOL]: after.task?.tool ?? '', 'longhaul.task.hash': hashOf(taskId) };
    this.#taskSpanId = taskSpanId(taskId);
    this.#running = runningIn(before);
  }

  spans(): readonly TaskSpan[] {
    for (const event of this.append.events) this.#take(event);
    return this.#spans;
  }

  #take(event: TaskEvent): void {
    switch (kindOf(event.type)?.role) {
      case 'starts':
        this.#endPass(event.at, 'lost', { type: 'worker_lost', message: 'The worker was lost, and another one took the pass over.' });
        this.#running = { ...(event as TaskEventOf<'PassStarted'>).data, startedAt: event.at };
        break;
      case 'rests':
        if (event.type === 'PassFailed') this.#endPass(event.at, 'retrying', failureBy(event.data.error));
        else this.#endPass(event.at, 'suspended');
        break;
      case 'settles':
        this.#operation(event as OperationEvent);
        break;
      case 'begins':
        this.#endPass(event.at, 'continued');
        this.#endWaits(event.at);
        break;
      case 'ends':
        this.#endPass(event.at, 'ended');
        this.#endWaits(event.at);
        this.#task(event.at);
        break;
      case 'keeps':
      case 'opens':
      case 'tries':
      case 'notes':
      case 'reports':
      case 'leaves':
      case undefined:
    }
  }

  #operation(event: OperationEvent): void {
    const { type, at, data } = event;
    if (type === 'StepCompleted') this.#step(event);
    else if (type === 'StepFailed') this.#step(event, failureBy(event.data.error));
    else if (EVENT_KINDS[type].operation !== 'step') this.#wait(data.key, at, failureOfWait(data));
  }

  #endPass(endMs: number, end: string, failure?: Failure): void {
    if (this.#running === undefined) return;
    const { epoch, startedAt, pass, attempt, workerId } = this.#running;
    this.#running = undefined;
    this.#add({
      name: 'pass',
      spanId: passSpanId(this.append.taskId, epoch),
      startMs: startedAt,
      endMs,
      attributes: {
        'longhaul.pass.number': pass,
        'longhaul.pass.attempt': attempt,
        'longhaul.pass.end': end,
        'longhaul.worker.id': workerId,
      },
      failure,
    });
  }

  #step({ at, data }: TaskEventOf<'StepCompleted'> | TaskEventOf<'StepFailed'>, failure?: Failure): void {
    const { before, taskId } = this.append;
    const { key, startedAt: startMs } = data;
    // A value that is only drawn, such as the time, is recorded as a step, but takes no time.
    if (startMs === undefined || this.#running === undefined) return;
    const tried = 'attempt' in data ? data.attempt : triesBefore(before, key) + 1;
    this.#add({
      name: `step ${key}`,
      spanId: stepSpanId(taskId, before, key, tried),
      parentSpanId: passSpanId(taskId, this.#running.epoch),
      startMs,
      endMs: at,
      attributes: { 'longhaul.step.key': key, 'longhaul.step.attempt': tried },
      failure,
    });
  }

  /** @param failure why it failed, if it failed */
  #wait(key: string, endMs: number, failure?: Failure): void {
    const { before, after, taskId } = this.append;
    const operation = before.operations.get(key) ?? after.operations.get(key);
    if (operation === undefined || operation.kind === 'step') return;
    if (operation.kind === 'child') {
      const { startedAt, tool } = operation;
      const attributes = { 'longhaul.child.tool': tool };
      this.#add({ name: `call ${key}`, spanId: waitSpanId(taskId, key, startedAt), startMs: startedAt, endMs, attributes, failure });
    } else if (operation.kind !== 'input') {
      if (!('setAt' in operation)) return;
      const { kind, setAt } = operation;
      const name = `${OPERATION_KINDS[kind].called} ${key}`;
      this.#add({ name, spanId: waitSpanId(taskId, key, setAt), startMs: setAt, endMs, attributes: {}, failure });
    } else if (operation.status === 'pending') {
      const { askedAt, method } = operation;
      const attributes = { 'mcp.method.name': method, 'longhaul.input.key': key };
      this.#add({ name: method, kind: 'client', spanId: waitSpanId(taskId, key, askedAt), startMs: askedAt, endMs, attributes, failure });
    }
  }

  #endWaits(endMs: number): void {
    const { before, events } = this.append;
    if (before.pendingInputs.size === 0) return;
    const answered = new Set(events.flatMap((event) => (event.type === 'InputReceived' ? [event.data.key] : [])));
    for (const key of before.pendingInputs)
      if (!answered.has(key)) this.#wait(key, endMs, { type: 'unanswered', message: 'The task ended before its client had answered.' });
  }

  #task(endMs: number): void {
    const { after } = this.append;
    const { parentSpanId } = this.trace;
    this.#add({
      name: `task ${after.task?.tool ?? ''}`,
      spanId: this.#taskSpanId,
      parentSpanId: parentSpanId ?? null,
      startMs: after.createdAt,
      endMs,
      attributes: { 'longhaul.task.outcome': outcomeOf(after), 'longhaul.task.attempts': after.attempt },
      failure: failureOf(after),
    });
  }

  /** @param span a child of the task's span unless it names another parent, or says that it has no parent */
  #add(
    span: Pick<TaskSpan, 'name' | 'spanId' | 'startMs' | 'endMs' | 'attributes'> & {
      readonly kind?: TaskSpan['kind'];
      readonly parentSpanId?: string | null;
      readonly failure: Failure | undefined;
    },
  ): void {
    const { name, kind = 'internal', spanId, parentSpanId = this.#taskSpanId, startMs, endMs, attributes, failure } = span;
    const { traceId, isSampled, tracestate } = this.trace;
    const own = { ...this.#common, ...attributes };
    this.#spans.push({
      name,
      kind,
      traceId,
      spanId,
      startMs,
      endMs,
      ...(parentSpanId !== null && { parentSpanId }),
      ...(isSampled !== undefined && { isSampled }),
      ...(tracestate !== undefined && { tracestate }),
      attributes: failure === undefined ? own : { ...own, 'error.type': failure.type },
      ...(failure !== undefined && { error: failure.message ?? failure.type }),
    });
  }
}

/** How a task ended, in one word. @param state of an ended task */
export function outcomeOf({ outcome }: Pick<TaskState, 'outcome'>): 'completed' | 'failed' | 'cancelled' {
  if (outcome?.kind === 'cancelled') return 'cancelled';
  return outcome?.kind === 'error' || outcome?.result['isError'] === true ? 'failed' : 'completed';
}

function failureOf({ outcome }: TaskState): Failure | undefined {
  if (outcome?.kind === 'error') return { type: String(outcome.error.code), message: outcome.error.message };
  return outcome?.kind === 'result' && outcome.result['isError'] === true ? { type: 'tool_error' } : undefined;
}

/** How often a step that is tried again was tried. */
function triesBefore({ operations }: Pick<TaskState, 'operations'>, key: string): number {
  const operation = operations.get(key);
  return operation?.status === 'retrying' ? operation.attempt : 0;
}

function failureBy({ name, message }: RecordedError): Failure {
  return { type: name, message };
}

function runningIn({ pass, passNumber, epoch, attempt }: TaskState): Running | undefined {
  if (pass.phase !== 'running') return undefined;
  return { epoch, startedAt: pass.startedAt, pass: passNumber, attempt, workerId: pass.workerId };
}

/** Why a wait has ended without what was waited for. */
function failureOfWait(data: OperationEvent['data']): Failure | undefined {
  if ('answer' in data) return 'error' in data.answer ? { type: String(data.answer.error.code) } : undefined;
  return 'outcome' in data && !isSuccess(data.outcome) ? { type: data.outcome.kind } : undefined;
}
