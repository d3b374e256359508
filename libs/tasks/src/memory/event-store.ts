/**
 * The streams in this process's memory: for tests. Everything
 * is kept as JSON, so that what comes back has been through the same as with Redis.
 */
import type { Clock } from '../ports/clock.js';
import type { TaskEvent } from '../domain/events.js';
import type { Outcome } from '../domain/state.js';
import type { TaskId } from '../domain/task-id.js';
import { retentionOf, type TaskView } from '../domain/projections/task-view.js';
import type {
  AppendRequest,
  AppendResult,
  DeliveryMark,
  EventStore,
  HistoryPage,
  TaskChange,
  TaskReader,
  Unsubscribe,
} from '../ports/event-store.js';
import type { MemoryOperatorIndex } from './operator-index.js';
import { fromStored, storedBytes, type StoredEvent } from '../ports/stored-event.js';
import { readHistory } from '../ports/read-history.js';
import type { Account, Refusal, Registration, TaskIndex } from '../ports/task-index.js';
import type { TaskAgenda } from '../ports/task-agenda.js';
import { visibleTo } from '../ports/event-kinds.js';
import { changeFrom, changeText } from '../ports/task-change.js';
import { MemoryChannels } from './channels.js';

const SWEEP_INTERVAL_MS = 1000;
const INTERRUPTED = 'interrupted';
const ALL = 'all';

interface Stream {
  events: StoredEvent[];
  /** Version before the first of the events. */
  since: number;
  bytes: number;
  readonly marks: Map<DeliveryMark, number>;
  /** When it was created or last continued as new. */
  beganAt: number;
  epoch: number;
  view: string;
  outcome: string | undefined;
  /** When it is gone for its client. */
  ownUntil: number | undefined;
  expiresAt: number | undefined;
}

/** `EventStore` in memory. */
export class MemoryEventStore implements EventStore {
  readonly #streams = new Map<TaskId, Stream>();
  readonly #channels = new MemoryChannels<TaskId>();
  readonly #changes = new MemoryChannels<string>();
  #sweptAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly agenda: Pick<TaskAgenda, 'date'>,
    private readonly index: Pick<TaskIndex, 'register' | 'retire'>,
    private readonly operators: Pick<MemoryOperatorIndex, 'write'>,
  ) {}

  async create(request: AppendRequest, registration: Registration, accounts: readonly Account[]): Promise<AppendResult | Refusal> {
    if (this.#live(request.taskId, 'operator') !== undefined) return 'conflict';
    const answer = await this.index.register(registration, accounts);
    return answer.verdict === 'registered' ? this.append(request) : answer;
  }

  async append(request: AppendRequest): Promise<AppendResult> {
    const { taskId, epoch, events, lookInMs } = request;
    const { view, outcome } = request.projection;
    this.#sweep();
    const stream: Stream = this.#live(taskId, 'operator') ?? {
      events: [],
      since: 0,
      bytes: 0,
      marks: new Map(),
      beganAt: this.clock(),
      epoch: 0,
      view: '',
      outcome: undefined,
      ownUntil: undefined,
      expiresAt: undefined,
    };
    if (epoch !== undefined && stream.epoch > epoch) return 'fenced';
    if (stream.since + stream.events.length !== request.expectedVersion) return 'conflict';
    const bytes = stream.bytes + storedBytes(events);
    if (request.maxBytes !== undefined && bytes > request.maxBytes) return 'too-large';
    stream.events.push(...events);
    stream.bytes = bytes;
    this.#continue(stream, events.length);
    stream.epoch = request.epochAfter;
    stream.view = JSON.stringify(view);
    stream.outcome = outcome && JSON.stringify(outcome);
    const retention = retentionOf(view);
    if (retention !== undefined) {
      stream.ownUntil = Math.max(stream.beganAt + retention.fromBeginMs, this.clock() + retention.fromEndMs);
      stream.expiresAt = Math.max(stream.ownUntil, this.clock() + retention.keptMs);
    }
    this.#streams.set(taskId, stream);
    if (request.row !== undefined) this.operators.write(request.row, stream.expiresAt);
    if (lookInMs !== undefined) void this.agenda.date(taskId, lookInMs);
    this.#channels.publish(taskId, taskId);
    if (request.interrupts === true) this.#channels.publish(INTERRUPTED, taskId);
    this.#changes.publish(ALL, changeText(request));
    const session = visibleTo(request);
    if (session !== undefined) this.#channels.publish(`session ${session}`, taskId);
    if (request.retires !== undefined)
      await this.index.retire(request.retires.accounts, taskId, request.retires.keptMs, request.retires.storedMs);
    return 'appended';
  }

  async readPage(taskId: TaskId, afterVersion: number, maxBytes: number): Promise<HistoryPage> {
    const stream = this.#live(taskId, 'operator');
    const later = stream?.events.slice(Math.max(0, afterVersion - stream.since)) ?? [];
    const before = Math.max(afterVersion, stream?.since ?? 0);
    let end = 0;
    for (let bytes = 0; end < later.length && bytes < maxBytes; end++) bytes += storedBytes(later.slice(end, end + 1));
    const events = later.slice(0, end).map(fromStored);
    const version = end === 0 ? afterVersion : before + end;
    return { events, version, isLast: end === later.length, historyBytes: stream?.bytes ?? 0 };
  }

  read(taskId: TaskId, afterVersion?: number): Promise<readonly TaskEvent[]> {
    return readHistory(this, taskId, afterVersion);
  }

  async views(taskIds: readonly TaskId[], reader?: TaskReader): Promise<readonly (TaskView | undefined)[]> {
    return taskIds.map((taskId) => {
      const stream = this.#live(taskId, reader);
      return stream && (JSON.parse(stream.view) as TaskView);
    });
  }

  async readOutcome(taskId: TaskId, reader?: TaskReader): Promise<{ view: TaskView; outcome?: Outcome } | undefined> {
    const stream = this.#live(taskId, reader);
    if (stream === undefined) return undefined;
    const view = JSON.parse(stream.view) as TaskView;
    return stream.outcome === undefined ? { view } : { view, outcome: JSON.parse(stream.outcome) as Outcome };
  }

  async subscribe(taskId: TaskId, listener: () => void): Promise<Unsubscribe> {
    return this.#channels.add(taskId, () => listener());
  }

  async onSessionChange(sessionId: string, listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.#channels.add(`session ${sessionId}`, listener);
  }

  async advanceMark(taskId: TaskId, mark: DeliveryMark, to: number): Promise<number | undefined> {
    const marks = this.#streams.get(taskId)?.marks;
    const was = marks?.get(mark) ?? 0;
    if (marks === undefined || was >= to) return undefined;
    marks.set(mark, to);
    return was;
  }

  async onInterrupted(listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.#channels.add(INTERRUPTED, listener);
  }

  async onChange(listener: (change?: TaskChange) => void): Promise<Unsubscribe> {
    return this.#changes.add(ALL, (text) => listener(changeFrom(text)));
  }

  async close(): Promise<void> {
    this.#streams.clear();
  }

  /** What continues a task as new begins a stream of its own. */
  #continue(stream: Stream, appended: number): void {
    const before = stream.events.length - appended;
    const start = before + stream.events.slice(before).findIndex(({ type }) => type === 'TaskContinued');
    if (start < before || start === 0) return;
    stream.since += start;
    stream.events = stream.events.slice(start);
    stream.bytes = storedBytes(stream.events);
    stream.beganAt = this.clock();
  }

  #live(taskId: TaskId, reader: TaskReader = 'client'): Stream | undefined {
    const stream = this.#streams.get(taskId);
    return stream === undefined || this.#isOver(reader === 'client' ? stream.ownUntil : stream.expiresAt) ? undefined : stream;
  }

  #isOver(time: number | undefined): boolean {
    return time !== undefined && time <= this.clock();
  }

  /** Frees expired streams that nobody asks for any more. */
  #sweep(): void {
    const now = this.clock();
    if (now - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    this.#sweptAt = now;
    for (const [taskId, stream] of this.#streams) if (this.#isOver(stream.expiresAt)) this.#streams.delete(taskId);
  }
}
