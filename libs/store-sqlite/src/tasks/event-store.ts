/**
 * Stores the streams in a data file. An append is one transaction with everything that belongs to it: events, view, the date in the agenda,
 * and at the start and the end the entry of the index. Change messages follow it.
 */
import {
  type Account,
  changeFrom,
  changeText,
  DEFAULT_KEEP_CONTINUED_MS,
  eventsFrom,
  type HistoryPage,
  type KnownTask,
  mustFit,
  outcomeBy,
  readHistory,
  type LimitRefusal,
  type Registration,
  retentionOf,
  storedBytes,
  type StoredEvent,
  type TaskTexts,
  textsOf,
  viewFrom,
  visibleTo,
} from '@longhaul/tasks/store';
import {
  type AppendRequest,
  type AppendResult,
  type DeliveryMark,
  type EventStore,
  type Outcome,
  type PayloadCodec,
  type StoreCapacity,
  type TaskChange,
  type TaskEvent,
  type TaskId,
  type TaskReader,
  type TaskView,
  type Unsubscribe,
  whenReady,
} from '@longhaul/tasks';
import type { SqliteDatabase } from '@longhaul/sqlite';
import { type TaskOfRow, writeRow } from './operator-rows.js';
import { registerTask, retireTask } from './owned-tasks.js';
import { dateEntry } from './task-agenda.js';
import { type TaskFile, whileUsable, writing } from './task-file.js';
import { addWebhooks } from './webhook-outbox.js';

const INTERRUPTED = 'tasks interrupted';
const CHANGED = 'tasks changed';

/** Dependencies of the store. */
export interface SqliteEventStoreDeps extends TaskFile {
  readonly capacity: StoreCapacity;
  /** How long the events before a task was continued as new are kept for operators, milliseconds. @defaultValue an hour */
  readonly keepContinuedMs?: number | undefined;
  readonly codec: PayloadCodec;
}

type TaskRow = {
  readonly id: number;
  readonly version: number;
  readonly epoch: number;
  readonly since: number;
  readonly bytes: number;
  readonly began_at: number;
};

/** `EventStore` in a data file. */
export class SqliteEventStore implements EventStore {
  readonly #database: SqliteDatabase;

  constructor(private readonly deps: SqliteEventStoreDeps) {
    this.#database = deps.database;
  }

  append(request: AppendRequest): Promise<AppendResult> {
    return whenReady(textsOf(this.deps.codec, request), (texts) => this.#admit(request, texts)) as Promise<AppendResult>;
  }

  #admit(request: AppendRequest, texts: TaskTexts): Promise<AppendResult> {
    const { events, expectedVersion } = request;
    const write = (): Promise<AppendResult> => this.#write(request, () => this.#append(request, texts));
    // A creation has been admitted with everything that belongs to it.
    if (expectedVersion === 0) return write();
    return this.deps.capacity.admit(mustFit(events) ? 'end' : 'record', storedBytes(texts.events), write);
  }

  async create(request: AppendRequest, registration: Registration, accounts: readonly Account[]): Promise<AppendResult | LimitRefusal> {
    const texts = await textsOf(this.deps.codec, request);
    return this.#write(request, () => {
      if (this.#task(request.taskId) !== undefined) return 'conflict';
      const answer = registerTask(this.#database, this.deps.clock(), registration, accounts);
      return answer.verdict === 'registered' ? this.#append(request, texts) : answer;
    });
  }

  async readPage(taskId: TaskId, afterVersion: number, maxBytes: number): Promise<HistoryPage> {
    const { version: last, since, bytes: historyBytes, stored } = await whileUsable(() => this.#stored(taskId, afterVersion, maxBytes));
    const version = stored.length === 0 ? afterVersion : Math.max(afterVersion, since) + stored.length;
    const events = await eventsFrom(this.deps.codec, taskId, version - stored.length + 1, stored);
    return { events, version, isLast: stored.length === 0 || version >= last, historyBytes };
  }

  read(taskId: TaskId, afterVersion?: number): Promise<readonly TaskEvent[]> {
    return readHistory(this, taskId, afterVersion);
  }

  async views(taskIds: readonly TaskId[], reader: TaskReader = 'client'): Promise<readonly (TaskView | undefined)[]> {
    const found = await whileUsable(() => taskIds.map((taskId) => this.#view(taskId, reader)));
    return Promise.all(
      taskIds.map(async (taskId, at) => {
        const row = found[at];
        return row && viewFrom(this.deps.codec, { ...row, taskId }, row.view);
      }),
    );
  }

  async readOutcome(taskId: TaskId, reader?: TaskReader): Promise<{ view: TaskView; outcome?: Outcome } | undefined> {
    const [view] = await this.views([taskId], reader);
    if (view?.ending === undefined) return view && { view };
    // Nothing follows the end of a task, so the last event is the one that ended it.
    const [lastEvent] = (await this.readPage(taskId, view.version - 1, 1)).events;
    const outcome = lastEvent && outcomeBy(lastEvent);
    // Without its events the task has expired between the two reads.
    return outcome && { view, outcome };
  }

  async subscribe(taskId: TaskId, listener: () => void, known?: KnownTask): Promise<Unsubscribe> {
    const unsubscribe = this.deps.channels.add(channelOf(taskId), () => listener());
    // A look costs no round trip.
    if (known !== undefined) listener();
    return unsubscribe;
  }

  async onSessionChange(sessionId: string, listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.deps.channels.add(sessionChannelOf(sessionId), (message) => {
      // Without a message it is unknown which tasks changed; their clients poll too.
      if (message !== undefined) listener(message as TaskId);
    });
  }

  async advanceMark(taskId: TaskId, mark: DeliveryMark, to: number): Promise<number | undefined> {
    const column = mark === 'progress' ? 'progress_mark' : 'notifications_mark';
    return writing(this.deps, () => {
      const { was } = (this.#database.get(`SELECT ${column} AS was FROM tasks WHERE task_id = ?`, taskId) ?? {}) as { was?: number };
      if (was === undefined || was >= to) return undefined;
      this.#database.run(`UPDATE tasks SET ${column} = ? WHERE task_id = ?`, to, taskId);
      return was;
    });
  }

  async onInterrupted(listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.deps.channels.add(INTERRUPTED, (message) => {
      // Without a message it is unknown which task it was; a worker learns of a missed interruption from its next append.
      if (message !== undefined) listener(message as TaskId);
    });
  }

  async onChange(listener: (change?: TaskChange) => void): Promise<Unsubscribe> {
    return this.deps.channels.add(CHANGED, (message) => listener(message === undefined ? undefined : changeFrom(message)));
  }

  async close(): Promise<void> {
    // The file belongs to the store.
  }

  async #write<T>(request: AppendRequest, run: () => T): Promise<T> {
    const result = await writing(this.deps, run);
    if (result === 'appended') this.#publish(request);
    return result;
  }

  #publish(request: AppendRequest): void {
    const { taskId, interrupts } = request;
    const { channels } = this.deps;
    channels.publish(channelOf(taskId), '');
    if (interrupts === true) channels.publish(INTERRUPTED, taskId);
    channels.publish(CHANGED, changeText(request));
    const session = visibleTo(request);
    if (session !== undefined) channels.publish(sessionChannelOf(session), taskId);
  }

  #append(request: AppendRequest, texts: TaskTexts): AppendResult {
    const { events } = texts;
    const { taskId, epoch, expectedVersion, maxBytes, lookInMs, retires, row } = request;
    const now = this.deps.clock();
    const before = this.#task(taskId);
    if (epoch !== undefined && before !== undefined && before.epoch > epoch) return 'fenced';
    if ((before?.version ?? 0) !== expectedVersion) return 'conflict';
    if (maxBytes !== undefined && (before?.bytes ?? 0) + storedBytes(events) > maxBytes) return 'too-large';
    const task = this.#writeTask(request, texts, { before, now });
    for (const [index, { type, data, meta }] of events.entries())
      this.#database.run('INSERT INTO events VALUES (?, ?, ?, ?, ?)', task.id, expectedVersion + 1 + index, type, data, meta);
    if (row !== undefined) writeRow(this.#database, row, task);
    if (lookInMs !== undefined) dateEntry(this.#database, taskId, now + lookInMs);
    if (texts.webhooks !== undefined) addWebhooks(this.#database, now, { taskId, expiresAt: task.expiresAt }, texts.webhooks);
    if (retires !== undefined) retireTask(this.#database, now, taskId, retires);
    return 'appended';
  }

  #writeTask(
    { taskId, expectedVersion, epochAfter, projection }: AppendRequest,
    { events, view: text }: TaskTexts,
    { before, now }: { readonly before: TaskRow | undefined; readonly now: number },
  ): TaskOfRow {
    const { view } = projection;
    const version = expectedVersion + events.length;
    if (before === undefined) {
      const { ownUntil, expiresAt } = expiryOf(view, now, now);
      const { id } = this.#database.get(
        `INSERT INTO tasks (task_id, version, epoch, since, bytes, began_at, view, own_until, expires_at) VALUES (?, ?, ?, 0, ?, ?, ?, ?, ?)
         RETURNING id`,
        taskId,
        version,
        epochAfter,
        storedBytes(events),
        now,
        text,
        ownUntil,
        expiresAt,
      ) as { id: number };
      return { id, expiresAt };
    }
    const stream = this.#streamAfter(before, events, now);
    const { ownUntil, expiresAt } = expiryOf(view, stream.beganAt, now);
    this.#database.run(
      'UPDATE tasks SET version = ?, epoch = ?, bytes = ?, view = ?, own_until = ?, expires_at = ? WHERE id = ?',
      version,
      epochAfter,
      stream.bytes,
      text,
      ownUntil,
      expiresAt,
      before.id,
    );
    return { id: before.id, expiresAt };
  }

  /** An event that continues a task as new begins a new stream; the events before it are removed later. */
  #streamAfter(before: TaskRow, events: readonly StoredEvent[], now: number): { readonly bytes: number; readonly beganAt: number } {
    const start = events.findIndex(({ type }) => type === 'TaskContinued');
    if (start === -1) return { bytes: before.bytes + storedBytes(events), beganAt: before.began_at };
    const { keepContinuedMs = DEFAULT_KEEP_CONTINUED_MS } = this.deps;
    this.#database.run(
      'UPDATE tasks SET since = ?, began_at = ?, drop_before_at = ? WHERE id = ?',
      before.version + start,
      now,
      now + keepContinuedMs,
      before.id,
    );
    return { bytes: storedBytes(events.slice(start)), beganAt: now };
  }

  #task(taskId: TaskId): TaskRow | undefined {
    const sql = 'SELECT id, version, epoch, since, bytes, began_at FROM tasks WHERE task_id = ? AND (expires_at IS NULL OR expires_at > ?)';
    return this.#database.get(sql, taskId, this.deps.clock()) as TaskRow | undefined;
  }

  #view(taskId: TaskId, reader: TaskReader): { readonly version: number; readonly view: string } | undefined {
    const until = reader === 'client' ? 'own_until' : 'expires_at';
    const sql = `SELECT version, view FROM tasks WHERE task_id = ? AND (expires_at IS NULL OR ${until} > ?)`;
    return this.#database.get(sql, taskId, this.deps.clock()) as { version: number; view: string } | undefined;
  }

  #stored(taskId: TaskId, afterVersion: number, maxBytes: number) {
    const task = this.#task(taskId);
    const stored: StoredEvent[] = [];
    if (task === undefined) return { version: 0, since: 0, bytes: 0, stored };
    const sql = 'SELECT type, data, meta FROM events WHERE task = ? AND version > ? ORDER BY version';
    let bytes = 0;
    for (const row of this.#database.iterate(sql, task.id, Math.max(afterVersion, task.since))) {
      const event = row as Pick<StoredEvent, keyof StoredEvent>;
      bytes += storedBytes([event]);
      stored.push(event);
      if (bytes >= maxBytes) break;
    }
    return { version: task.version, since: task.since, bytes: task.bytes, stored };
  }
}

/** When an ended task is gone for its client, and when for everybody. */
function expiryOf(view: TaskView, beganAt: number, now: number): { readonly ownUntil: number | null; readonly expiresAt: number | null } {
  const retention = retentionOf(view);
  if (retention === undefined) return { ownUntil: null, expiresAt: null };
  const ownUntil = Math.max(beganAt + retention.fromBeginMs, now + retention.fromEndMs);
  return { ownUntil, expiresAt: Math.max(ownUntil, now + retention.keptMs) };
}

function channelOf(taskId: TaskId): string {
  return `task ${taskId}`;
}

function sessionChannelOf(sessionId: string): string {
  return `tasks of session ${sessionId}`;
}
