/**
 * Keeps one `subscriptions/listen` stream for all followed tasks, because browsers allow few streams. A new task opens a new stream for all
 * of them; the old one ends when the new one is acknowledged, so nothing is missed. A stream that breaks is opened again. A server that
 * cannot push is not asked twice; polling continues in any case.
 */
import { SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/client';
import type { Connection } from '../connection.js';
import { ClientError, ConnectionLostError, RpcError } from '../errors.js';
import type { TaskSnapshot } from '../following/task-snapshot.js';
import { waitAtMost } from '../waits.js';
import { delayMs } from '../wire/retries.js';
import { snapshotOfNotification } from './snapshots.js';
import { isObject } from '../wire/usable-parts.js';

/** Somebody who follows a task. */
export interface TaskWatcher {
  readonly taskId: string;
  onSnapshot(snapshot: TaskSnapshot): void;
  /** From now on nothing is missed; a poll must find earlier changes. */
  onReady(): void;
}

interface Stream {
  readonly taskIds: ReadonlySet<string>;
  readonly ended: Promise<unknown>;
  readonly openedAt: number;
  close(): void;
}

const ACK_TIMEOUT_MS = 10_000;

export class TaskSubscription {
  readonly #watchers = new Set<TaskWatcher>();
  readonly #end = new AbortController();
  readonly #closed = Promise.withResolvers<void>();
  #stream: Stream | undefined;
  #isBusy = false;
  #failures = 0;
  #isSupported = true;

  constructor(private readonly connection: Connection) {
    connection.notifications.listen((notification) => {
      const snapshot = notification.method === 'notifications/tasks' ? snapshotOfNotification(notification) : undefined;
      if (snapshot !== undefined) this.#watchersOf([snapshot.taskId]).forEach((watcher) => watcher.onSnapshot(snapshot));
    });
  }

  /** @returns stops watching */
  watch(watcher: TaskWatcher): () => void {
    this.#watchers.add(watcher);
    void this.#keepStream();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#replace(undefined);
    };
  }

  close(): void {
    this.#end.abort();
    this.#closed.resolve();
    this.#replace(undefined);
  }

  /** Opens streams until one is for all watched tasks. Never rejects. */
  async #keepStream(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    // Calls that start together share the first stream.
    await Promise.resolve();
    while (this.#isStreamNeeded()) {
      try {
        const before = this.#stream?.taskIds ?? new Set();
        const stream = await this.#open(new Set([...this.#watchers].map(({ taskId }) => taskId)));
        this.#replace(stream);
        this.#watchersOf([...stream.taskIds].filter((taskId) => !before.has(taskId))).forEach((watcher) => watcher.onReady());
      } catch (error) {
        await this.#failed(error);
      }
    }
    this.#isBusy = false;
  }

  #isStreamNeeded(): boolean {
    if (!this.#isSupported || this.#end.signal.aborted) return false;
    return [...this.#watchers].some(({ taskId }) => this.#stream?.taskIds.has(taskId) !== true);
  }

  /** Resolves when the server has acknowledged the stream. */
  async #open(taskIds: ReadonlySet<string>): Promise<Stream> {
    const { notifications, wire } = this.connection;
    const acknowledged = Promise.withResolvers<void>();
    const closed = new AbortController();
    let id: string | undefined;
    const stop = notifications.listen(({ method, params }) => {
      if (method !== 'notifications/subscriptions/acknowledged' || params?._meta?.[SUBSCRIPTION_ID_META_KEY] !== id) return false;
      // A server without push for tasks leaves the whole field out.
      if (isObject(params?.['notifications']) && 'taskIds' in params['notifications']) acknowledged.resolve();
      else acknowledged.reject(new UnsupportedError('The server does not push the status of tasks.'));
      return true;
    });
    const ended = wire.request({
      method: 'subscriptions/listen',
      params: { notifications: { taskIds: [...taskIds] } },
      isCancellable: true,
      signal: AbortSignal.any([closed.signal, this.#end.signal]),
      onSend: (sent) => {
        id = sent;
      },
    });
    ended.then(() => acknowledged.reject(new ConnectionLostError('The server ended the subscription at once.')), acknowledged.reject);
    const timer = setTimeout(() => closed.abort(new ConnectionLostError('The subscription was not acknowledged.')), ACK_TIMEOUT_MS);
    try {
      await acknowledged.promise;
    } catch (error) {
      closed.abort();
      throw error;
    } finally {
      clearTimeout(timer);
      stop();
    }
    return { taskIds, ended, openedAt: performance.now(), close: () => closed.abort() };
  }

  #replace(stream: Stream | undefined): void {
    this.#stream?.close();
    this.#stream = stream;
    const lost = async (): Promise<void> => {
      if (stream === undefined || this.#stream !== stream) return;
      this.#stream = undefined;
      if (performance.now() - stream.openedAt > this.connection.retries.maxDelayMs) this.#failures = 0;
      await this.#failed(undefined);
      await this.#keepStream();
    };
    stream?.ended.then(lost, lost);
  }

  /** Waits, each time longer, before the next stream. */
  async #failed(reason: unknown): Promise<void> {
    this.#isSupported &&= !(reason instanceof RpcError || reason instanceof UnsupportedError);
    this.#failures += 1;
    if (this.#isSupported) await waitAtMost(delayMs(this.connection.retries, this.#failures), this.#closed.promise);
  }

  #watchersOf(taskIds: readonly string[]): TaskWatcher[] {
    return [...this.#watchers].filter(({ taskId }) => taskIds.includes(taskId));
  }
}

class UnsupportedError extends ClientError {}
