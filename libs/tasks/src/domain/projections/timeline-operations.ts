/** Collects the operations of a timeline, with each of their tries. */
import { isSuccess } from '../child-events.js';
import { EVENT_KINDS, kindOf, type OperationEvent } from '../event-kinds.js';
import type { TaskEvent, TaskEventOf } from '../events.js';
import type { RecordedError } from '../json.js';
import { type OperationKind, type OperationKindName, OPERATION_KINDS } from '../operation-kinds.js';

/** One try of a step. Times are epoch milliseconds. */
export interface TrySpan {
  readonly attempt: number;
  /** Absent where it is not known: what did not run has no start. */
  readonly startedAt?: number;
  /** Absent while it runs, and if its worker was lost. */
  readonly endedAt?: number;
  readonly error?: RecordedError;
  /** When the step is tried again. */
  readonly retryAt?: number;
  /** It ended with its pass, and nothing was recorded of it. */
  readonly isLost?: true;
}

/** A step, a question to the client, a timer, a wait for a signal, or a task that the task has started. Times are epoch milliseconds. */
export interface OperationSpan {
  readonly key: string;
  /** As the workflow calls it: the key without the count of its uses. */
  readonly name: string;
  readonly kind: OperationKind['shown'];
  /**
   * `waiting`: no worker is working on it now. `interrupted`: it has not settled, and never will, because the task has ended or was
   * continued as new.
   */
  readonly status: 'running' | 'waiting' | 'retrying' | 'completed' | 'failed' | 'interrupted';
  /** Version of the first event that is about it, and of the one that settled it. */
  readonly version: number;
  readonly settledVersion?: number;
  /** When it was first started or asked. Absent where it is not known. */
  readonly startedAt?: number;
  readonly settledAt?: number;
  /** Of a step. */
  readonly tries: readonly TrySpan[];
  /** Of a question: the method of the request. */
  readonly method?: string;
  /** Of a timer, and of a wait for a signal that does not last for ever. */
  readonly dueAt?: number;
  /** Of a child: its task, and its tool. */
  readonly childTaskId?: string;
  readonly childTool?: string;
  /** It was recorded in the task that this one is a fork of. */
  readonly isCopied?: true;
}

type StepEvent = TaskEventOf<'StepStarted'> | TaskEventOf<'StepCompleted'> | TaskEventOf<'StepFailed'>;

type Draft = { -readonly [K in keyof OperationSpan]: OperationSpan[K] } & { tries: TrySpan[] };

const USES = /:\d+$/;

/** Collects what events say of operations. */
export class Operations {
  readonly spans: Draft[] = [];
  /** Those that a later event may be about. */
  private readonly present = new Map<string, Draft>();

  /** The operation of that key as it is by now. */
  get(key: string): OperationSpan | undefined {
    return this.present.get(key);
  }

  /** @param isCopied whether what it records was recorded in another task */
  take(event: TaskEvent, version: number, isCopied: boolean): void {
    switch (kindOf(event.type)?.role) {
      case 'opens':
      case 'tries':
      case 'settles':
        return this.operation(event as OperationEvent, version, isCopied);
      case 'starts':
      case 'rests':
        this.losePresentTries();
        // The next attempt runs failed steps and children again.
        if (event.type === 'PassFailed')
          for (const [key, { kind, status }] of this.present)
            if ((kind === 'step' || kind === 'child') && status === 'failed') this.present.delete(key);
        return;
      case 'begins':
      case 'ends':
        return this.interrupt();
      case 'keeps':
      case 'notes':
      case 'reports':
      case 'leaves':
      case undefined:
    }
  }

  private operation(event: OperationEvent, version: number, isCopied: boolean): void {
    const { type, at, data } = event;
    const { role, operation } = EVENT_KINDS[type];
    if (isOfStep(event)) return this.step(event, this.open(data.key, operation, version, isCopied), version);
    if (role !== 'opens') return settle(this.present.get(data.key), statusBy(event), at, version);
    const { method, dueAt } = data as Pick<OperationSpan, 'method' | 'dueAt'>;
    const child = event.type === 'ChildStarted' ? { childTaskId: event.data.taskId, childTool: event.data.tool } : {};
    const shown = { ...(method !== undefined && { method }), ...(dueAt !== undefined && { dueAt }), ...child };
    Object.assign(this.open(data.key, operation, version, isCopied), { startedAt: at, ...shown });
  }

  private open(key: string, operation: OperationKindName, version: number, isCopied: boolean): Draft {
    const found = this.present.get(key);
    if (found !== undefined) return found;
    const kind = OPERATION_KINDS[operation].shown;
    const status = kind === 'step' ? 'running' : 'waiting';
    const span: Draft = { key, name: key.replace(USES, ''), kind, status, version, tries: [], ...(isCopied && { isCopied: true }) };
    this.present.set(key, span);
    this.spans.push(span);
    return span;
  }

  private step(event: StepEvent, span: Draft, version: number): void {
    const { startedAt } = event.data;
    if (startedAt !== undefined) span.startedAt ??= startedAt;
    const open = span.tries.at(-1);
    const isOpen = open !== undefined && open.endedAt === undefined && open.isLost === undefined;
    if (isOpen) span.tries.pop();
    const attempt = 'attempt' in event.data ? event.data.attempt : (open?.attempt ?? 0) + (isOpen || open?.isLost === true ? 0 : 1);
    const begun = { attempt, ...(startedAt !== undefined && { startedAt }) };
    if (event.type === 'StepStarted') {
      span.status = 'running';
      span.tries.push(begun);
      return;
    }
    if (event.type === 'StepCompleted') {
      span.tries.push({ ...begun, endedAt: event.at });
      return settle(span, 'completed', event.at, version);
    }
    const { error, retryAt } = event.data;
    span.tries.push({ ...begun, endedAt: event.at, error, ...(retryAt !== undefined && { retryAt }) });
    if (retryAt === undefined) settle(span, 'failed', event.at, version);
    else span.status = 'retrying';
  }

  /** A pass has ended: its running steps have stopped, and run again in the next pass. */
  private losePresentTries(): void {
    for (const span of this.present.values()) {
      const open = span.tries.at(-1);
      if (span.status !== 'running' || open === undefined) continue;
      span.tries[span.tries.length - 1] = { ...open, isLost: true };
      span.status = 'waiting';
    }
  }

  private interrupt(): void {
    this.losePresentTries();
    for (const span of this.present.values()) if (span.settledAt === undefined) span.status = 'interrupted';
    this.present.clear();
  }
}

function isOfStep(event: OperationEvent): event is StepEvent {
  return EVENT_KINDS[event.type].operation === 'step';
}

/** How an event of others, or of the clock, settles an operation. */
function statusBy({ type, data }: OperationEvent): OperationSpan['status'] {
  if (type === 'WaitWithdrawn') return 'interrupted';
  if ('outcome' in data) return isSuccess(data.outcome) ? 'completed' : 'failed';
  return 'answer' in data && 'error' in data.answer ? 'failed' : 'completed';
}

function settle(span: Draft | undefined, status: OperationSpan['status'], at: number, version: number): void {
  if (span !== undefined) Object.assign(span, { status, settledAt: at, settledVersion: version });
}
