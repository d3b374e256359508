/** What a task waited for between its passes. */
import type { TaskEvent } from '../events.js';
import type { OperationSpan } from './timeline-operations.js';

/** One wait. Times are epoch milliseconds. */
export interface WaitSpan {
  /** `queue`: the next pass was due, and no worker had begun it. */
  readonly reason: 'question' | 'timer' | 'retry' | 'queue';
  /** Keys of the operations that it waited for. */
  readonly keys: readonly string[];
  readonly startedAt: number;
  /** Absent while it lasts. */
  readonly endedAt?: number;
}

/** A pass is due at a time, or when one of these operations is settled. */
interface Rest {
  readonly reason: Exclude<WaitSpan['reason'], 'queue'>;
  readonly keys: readonly string[];
  readonly since: number;
  readonly dueAt: number;
}

/** Collects what events say of waits. */
export class Waits {
  private readonly ended: WaitSpan[] = [];
  private rest: Rest | undefined;
  private queuedSince: number | undefined;

  constructor(private readonly operations: { get(key: string): OperationSpan | undefined }) {}

  /** The waits by now, with the one that lasts. */
  get spans(): readonly WaitSpan[] {
    if (this.rest !== undefined) return [...this.ended, waitOf(this.rest)];
    return this.queuedSince === undefined ? this.ended : [...this.ended, { reason: 'queue', keys: [], startedAt: this.queuedSince }];
  }

  /** Is given each event after the operations have taken it. */
  take(event: TaskEvent): void {
    const { at } = event;
    switch (event.type) {
      case 'TaskCreated':
      case 'TaskContinued':
        this.end(at);
        this.queuedSince = at;
        break;
      case 'PassSuspended':
        this.suspend(event.data.waitingFor, at);
        break;
      case 'PassFailed':
        // A copy of what the origin of a fork waited for: the fork never has.
        if (this.queuedSince === undefined) this.rest = { reason: 'retry', keys: [], since: at, dueAt: event.data.retryAt };
        break;
      case 'InputReceived':
        if (this.rest?.keys.includes(event.data.key) === true) this.queue(at);
        break;
      case 'PassStarted':
      case 'TaskCompleted':
      case 'TaskFailed':
      case 'TaskCancelled':
        this.end(at);
        break;
      default:
    }
  }

  private suspend(keys: readonly string[], at: number): void {
    const waited = keys.map((key) => this.operations.get(key));
    if (keys.length === 0 || waited.some((operation) => operation?.settledAt !== undefined)) {
      this.queuedSince = at;
      return;
    }
    const dueAt = Math.min(...waited.map(dueAtOf));
    const isAsked = waited.some((operation) => operation?.kind === 'question');
    const first = waited.find((operation) => dueAtOf(operation) === dueAt);
    this.rest = { reason: isAsked ? 'question' : first?.kind === 'timer' ? 'timer' : 'retry', keys, since: at, dueAt };
  }

  /** What was waited for is there: the pass is due. */
  private queue(at: number): void {
    if (this.rest !== undefined) this.ended.push(waitOf(this.rest, at));
    this.rest = undefined;
    this.queuedSince = at;
  }

  private end(at: number): void {
    if (this.rest !== undefined && this.rest.dueAt < at) this.queue(Math.max(this.rest.since, this.rest.dueAt));
    if (this.rest !== undefined) this.ended.push(waitOf(this.rest, at));
    if (this.queuedSince !== undefined) this.ended.push({ reason: 'queue', keys: [], startedAt: this.queuedSince, endedAt: at });
    this.rest = undefined;
    this.queuedSince = undefined;
  }
}

function waitOf({ reason, keys, since }: Rest, endedAt?: number): WaitSpan {
  return { reason, keys, startedAt: since, ...(endedAt !== undefined && { endedAt }) };
}

/** When the operation goes on by itself. */
function dueAtOf(operation: OperationSpan | undefined): number {
  return operation?.dueAt ?? operation?.tries.at(-1)?.retryAt ?? Number.POSITIVE_INFINITY;
}
