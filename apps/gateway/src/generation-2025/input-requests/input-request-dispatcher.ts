/**
 * Sends the requests of one task to its client, each on only one stream. It takes the lease of a request before it sends it. While another
 * stream has the lease, it tries again from time to time, because that stream may end without an answer.
 */
import { type PendingInput, presentParams, takesRequest, type TaskView } from '@longhaul/tasks';
import type { Requester } from '@longhaul/sessions/gateway';
import type { Logger } from 'pino';
import type { StreamDeliveryLeases } from './stream-delivery-leases.js';
import type { InputIds } from '../wire/input-ids.js';
import { relatedTaskOf, withRelatedTask } from '../wire/related-task.js';
import type { SessionScope } from '../requests/session-call.js';

const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 5_000;

/** The parts of the dispatcher. */
export interface InputRequestDispatcherDeps {
  readonly deliveryLeases: StreamDeliveryLeases;
  readonly inputIds: InputIds;
  readonly logger: Logger;
}

/** The stream on which the requests are sent. */
export type DispatchStream = Pick<SessionScope, 'push'> & Pick<SessionScope['stream'], 'holder' | 'hasSent'>;

/** Which requests a stream sends, and when. */
export interface DispatchOptions {
  /** The client: requests that it cannot answer are kept for somebody else. */
  readonly client: Requester['client'];
  /** How long a request is left to other streams first. */
  readonly graceMs: number;
  /** Whether the client has just asked for the requests of this task. */
  readonly isAskedFor: boolean;
}

export class InputRequestDispatcher {
  readonly #seenAt = new Map<string, number>();
  readonly #asked = new Set<string>();
  #view: TaskView | undefined;
  #timer: NodeJS.Timeout | undefined;
  #retryMs = FIRST_RETRY_MS;
  #isOver = false;

  constructor(
    private readonly deps: InputRequestDispatcherDeps,
    private readonly stream: DispatchStream,
    private readonly options: DispatchOptions,
  ) {}

  /**
   * Sends the task's pending requests, unless they were sent. Resolves when the stream has received everything that may be sent at once.
   *
   * @throws TaskError `STORE_UNAVAILABLE` to a client that has asked for the requests; otherwise it is tried again later
   */
  async offer(view: TaskView): Promise<void> {
    this.#view = view;
    if (this.#asked.size > 0)
      this.deps.deliveryLeases.retain(this.stream.holder, view.taskId, new Set(view.pendingInputs.map(({ key }) => key)));
    this.#retryMs = FIRST_RETRY_MS;
    await (this.options.isAskedFor ? this.#askAll() : this.#askOrRetry());
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #askAll(): Promise<void> {
    const view = this.#view;
    clearTimeout(this.#timer);
    const unasked = view?.pendingInputs.filter((input) => !this.#asked.has(askOf(input))) ?? [];
    if (view === undefined || unasked.length === 0) return;
    const { capabilities } = this.options.client();
    const open = unasked.filter((input) => takesRequest(capabilities, input));
    const now = performance.now();
    let waitMs = Infinity;
    for (const input of open) {
      const seenAt = this.#seenAt.get(askOf(input)) ?? now;
      this.#seenAt.set(askOf(input), seenAt);
      const graceLeftMs = seenAt + this.options.graceMs - now;
      if (graceLeftMs > 0) waitMs = Math.min(waitMs, graceLeftMs);
      else if (!(await this.#ask(view, input))) {
        waitMs = Math.min(waitMs, this.#retryMs);
        this.#retryMs = Math.min(2 * this.#retryMs, MAX_RETRY_MS);
      }
    }
    if (waitMs < Infinity && !this.#isOver) this.#timer = setTimeout(() => void this.#askOrRetry(), waitMs);
  }

  async #askOrRetry(): Promise<void> {
    try {
      await this.#askAll();
    } catch (error) {
      this.deps.logger.warn({ err: error }, 'request not sent');
      if (!this.#isOver) this.#timer = setTimeout(() => void this.#askOrRetry(), MAX_RETRY_MS);
    }
  }

  /** @returns whether the request need not be tried again */
  async #ask(view: TaskView, input: PendingInput): Promise<boolean> {
    const { taskId } = view;
    const { key, method, refused } = input;
    const { deliveryLeases, inputIds } = this.deps;
    const { isAskedFor } = this.options;
    if (!(await deliveryLeases.take(this.stream.holder, { taskId, key, isAskedFor }))) return false;
    if (this.#isOver) deliveryLeases.release(this.stream.holder); // The client has gone; other streams may ask.
    if (this.#isOver || this.#asked.has(askOf(input))) return true;
    this.#asked.add(askOf(input));
    const id = inputIds.idOf({ taskId, key, refused: refused?.times ?? 0 });
    if (this.stream.hasSent(id)) return true;
    // A request about the client's own task names only that task: otherwise the client would look for our task instead.
    const related = method.startsWith('tasks/') ? undefined : relatedTaskOf(view);
    this.stream.push({ id, method, params: withRelatedTask(presentParams(input), related) });
    return true;
  }
}

/** A question that is asked again after a refused answer counts as a different one. */
function askOf({ key, refused }: PendingInput): string {
  return `${refused?.times ?? 0}|${key}`;
}
