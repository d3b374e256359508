/**
 * Sends reports of progress to clients whose plain calls wait, so that they know that the work continues and wait on: one at least in each
 * interval, with the latest progress and the last message of the task. A report of the tool counts as one. There is one timer for all calls
 * of a process. A call keeps what its stream keeps, and the latest view of its task.
 */
import type { TaskView } from '@longhaul/tasks';
import { KeepAlive } from '../../streams/keep-alive.js';
import type { Pushed } from '../method.js';
import { IncreasingProgress, messageOf } from './increasing-progress.js';

const PROGRESS = 'notifications/progress';

/** A request that waits. */
export interface WaitingRequest {
  /** When its task was created, epoch milliseconds. */
  readonly createdAt: number;
  /** Absent if it asks for no progress: then there is nothing to send. */
  readonly progressToken?: string | number | undefined;
  readonly push: (message: Pushed) => void;
  /** Makes the response an event stream, whose comments keep the connection alive. Absent if that happens by itself, or cannot. */
  readonly open?: (() => void) | undefined;
  /** The value that was sent last, if another gateway has sent some. */
  readonly lastSent?: number | undefined;
}

/** The part of a task that a sign of life shows. */
export type ShownTask = Pick<TaskView, 'createdAt' | 'progress' | 'statusMessage'>;

export class SignsOfLife {
  /** A call is looked at twice in an interval: if it was sent something in the half before, the other half is enough. */
  readonly #wheel: KeepAlive<CallSigns> | undefined;
  readonly #halfMs: number;

  /** @param everyMs the interval; 0: no signs are sent */
  constructor(
    everyMs: number,
    private readonly clock: () => number = Date.now,
  ) {
    this.#halfMs = everyMs / 2;
    this.#wheel = everyMs > 0 ? new KeepAlive(this.#halfMs, (call) => call.look(this.#halfMs)) : undefined;
  }

  /** The number of calls that wait. */
  get size(): number {
    return this.#wheel?.size ?? 0;
  }

  /** Begins to send them for a request. */
  begin(request: WaitingRequest): CallSigns {
    const call = new CallSigns(request, this.clock);
    if (request.progressToken !== undefined || request.open !== undefined) call.whenOver = this.#wheel?.add(call);
    return call;
  }

  stop(): void {
    this.#wheel?.stop();
  }
}

/** One request that waits. */
export class CallSigns {
  whenOver: (() => void) | undefined;
  readonly #values: IncreasingProgress;
  #task: ShownTask;
  #sentAt: number;

  constructor(
    private readonly request: WaitingRequest,
    private readonly clock: () => number,
  ) {
    this.#values = new IncreasingProgress(request.lastSent);
    this.#sentAt = clock();
    // What the task has reported may still have to be sent as its own.
    this.#task = { createdAt: request.createdAt };
  }

  /** Notes the task as it is now. */
  see({ createdAt, progress, statusMessage }: ShownTask): void {
    this.#task = { createdAt, ...(progress !== undefined && { progress }), ...(statusMessage !== undefined && { statusMessage }) };
  }

  /** Sends a message of the task. A report of progress is sent with a larger value if signs of life have overtaken it. */
  push(message: Pushed): void {
    if (message.method !== PROGRESS) return this.request.push(message);
    const progress = this.#values.report(Number(message.params['progress']));
    if (progress === undefined) return;
    this.#sentAt = this.clock();
    this.request.push({ ...message, params: { ...message.params, progress } });
  }

  /** Sends a sign of life, unless something was sent in the time before. */
  look(silentMs: number): void {
    const now = this.clock();
    if (now - this.#sentAt < silentMs) return;
    if (this.request.progressToken === undefined) return this.request.open?.();
    const { createdAt, progress: reported, statusMessage } = this.#task;
    const progress = this.#values.sign(reported?.progress, now - createdAt);
    if (progress === undefined) return;
    const message = messageOf(reported, statusMessage);
    this.#sentAt = now;
    this.request.push({
      method: PROGRESS,
      isRepeatable: true,
      params: {
        progressToken: this.request.progressToken,
        progress,
        ...(reported?.total !== undefined && { total: reported.total }),
        ...(message !== undefined && { message }),
      },
    });
  }

  end(): void {
    this.whenOver?.();
  }
}
