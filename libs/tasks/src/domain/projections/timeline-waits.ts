/** Collects the waits of a task between its passes. */
import { EVENT_KINDS, kindOf, type OperationEvent } from '../event-kinds.js';
import type { TaskEvent } from '../events.js';
import { isSettledOutside, OPERATION_KINDS, type OperationKind } from '../operation-kinds.js';
import type { OperationSpan } from './timeline-operations.js';

/** Why a task waits between its passes: for an operation of a kind, or for a worker. */
export type WaitReason = OperationKind['waitReason'] | 'queue';

const REASONS: Readonly<Record<WaitReason, true>> = { question: true, signal: true, timer: true, retry: true, child: true, queue: true };

/** All of them. */
export const WAIT_REASONS = Object.keys(REASONS) as readonly WaitReason[];

/** One wait. Times are epoch milliseconds. */
export interface WaitSpan {
  /** `queue`: the next pass was due, and no worker had begun it. */
  readonly reason: WaitReason;
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
    switch (kindOf(event.type)?.role) {
      case 'begins':
        this.end(at);
        this.queuedSince = at;
        return;
      case 'rests':
        return this.restAfter(event);
      case 'settles': {
        const { type, data } = event as OperationEvent;
        const kind = OPERATION_KINDS[EVENT_KINDS[type].operation];
        if (isSettledOutside(kind) && this.rest?.keys.includes(data.key) === true) this.queue(at);
        return;
      }
      case 'starts':
      case 'ends':
        return this.end(at);
      case 'keeps':
      case 'opens':
      case 'tries':
      case 'notes':
      case 'reports':
      case 'leaves':
      case undefined:
    }
  }

  private restAfter({ type, at, data }: TaskEvent): void {
    if (type === 'PassSuspended') this.suspend(data.waitingFor, at);
    // A copy of what the origin of a fork waited for: the fork never has.
    else if (type === 'PassFailed' && this.queuedSince === undefined)
      this.rest = { reason: 'retry', keys: [], since: at, dueAt: data.retryAt };
  }

  private suspend(keys: readonly string[], at: number): void {
    const waited = keys.map((key) => this.operations.get(key));
    if (keys.length === 0 || waited.some((operation) => operation?.settledAt !== undefined)) {
      this.queuedSince = at;
      return;
    }
    const dueAt = Math.min(...waited.map(dueAtOf));
    const kinds = waited.map((operation) => Object.values(OPERATION_KINDS).find(({ shown }) => shown === operation?.kind));
    const forOthers = kinds.find((kind) => kind !== undefined && isSettledOutside(kind));
    const first = kinds[waited.findIndex((operation) => dueAtOf(operation) === dueAt)];
    this.rest = { reason: (forOthers ?? first)?.waitReason ?? 'retry', keys, since: at, dueAt };
  }

  /** The wait has ended: the pass is due. */
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

/** When the operation continues by itself. */
function dueAtOf(operation: OperationSpan | undefined): number {
  return operation?.dueAt ?? operation?.tries.at(-1)?.retryAt ?? Number.POSITIVE_INFINITY;
}
