/**
 * Stores the streams of tasks in Redis. An append is one script (`append.lua.ts`); reads are single commands. Every method rejects with
 * `STORE_UNAVAILABLE` while Redis cannot be reached. An append that can wait rejects with `STORE_FULL` while Redis has no room for it. An
 * append that was rejected with one of these may still have been written: a caller that retries reads first.
 */
import {
  type Account,
  changeFrom,
  changeText,
  DEFAULT_KEEP_CONTINUED_MS,
  type EndedTask,
  endFrom,
  eventsFrom,
  type HistoryPage,
  type KnownTask,
  mustFit,
  outcomeBy,
  outcomeFrom,
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
  type TaskAgenda,
  type TaskChange,
  type TaskEvent,
  type TaskId,
  type TaskIndex,
  type TaskReader,
  type TaskView,
  type Unsubscribe,
  whenReady,
} from '@longhaul/tasks';
import { randomUUID } from 'node:crypto';
import { defineScript, type RedisClient, type RedisSubscriptions, type RunScript } from '@longhaul/redis';
import type { RedisKeys } from '../keys/tasks.js';
import { type AppendCall, type AppendScripts, defineAppends } from './append-scripts.js';
import { CREATE } from './append.lua.js';
import type { RedisOperatorIndex } from './operator-index.js';
import { setsOf, storedRow } from './operator-rows.lua.js';
import { READ_PAGE } from './read-page.lua.js';
import { ADVANCE_MARK } from './advance-mark.lua.js';
import { limitRefusal, registering, retiring } from './account-arguments.js';
import type { RedisWebhookOutbox } from './webhook-outbox.js';
import { whileReachable } from './store-fault.js';
import { TaskChannels } from './task-channels.js';

/** A larger outcome is kept in its event only, so that it is in Redis once. */
const MAX_OUTCOME_IN_VIEW_BYTES = 64 * 1024;

/** Longer than any pause between two deliveries of a live task; a lost mark causes a repetition at worst. */
const MARK_TTL_MS = 8 * 24 * 3_600_000;

/** The dependencies of the store; the owner of the connections closes them. */
export interface RedisEventStoreDeps {
  readonly redis: RedisClient;
  readonly subscriptions: RedisSubscriptions;
  readonly keys: RedisKeys;
  readonly capacity: StoreCapacity;
  readonly agenda: Pick<TaskAgenda, 'date'>;
  readonly index: Pick<TaskIndex, 'register' | 'retire'>;
  readonly operators: Pick<RedisOperatorIndex, 'note'>;
  readonly webhooks: Pick<RedisWebhookOutbox, 'date' | 'namesFor'>;
  /** Whether one script may touch any keys: on one server, not on a cluster. */
  readonly isOneServer: boolean;
  /** How long the events before a task was continued as new are kept for operators, milliseconds. @defaultValue an hour */
  readonly keepContinuedMs?: number | undefined;
  readonly codec: PayloadCodec;
}

/** On a cluster a recipient is dated before its append for so long after it: if the process dies in between, it is looked at all the same. */
const RECIPIENT_GRACE_MS = 1_000;

/** `EventStore` on Redis. */
export class RedisEventStore implements EventStore {
  readonly #scripts: AppendScripts;
  readonly #create: RunScript<typeof CREATE>;
  readonly #advance: RunScript<typeof ADVANCE_MARK>;
  readonly #readPage: RunScript<typeof READ_PAGE>;
  readonly #channels: TaskChannels;
  readonly #writer = randomUUID();
  #appends = 0;

  constructor(private readonly deps: RedisEventStoreDeps) {
    this.#scripts = defineAppends(deps.redis);
    this.#create = defineScript(deps.redis, CREATE);
    this.#advance = defineScript(deps.redis, ADVANCE_MARK);
    this.#readPage = defineScript(deps.redis, READ_PAGE);
    this.#channels = new TaskChannels(deps.subscriptions, deps.keys);
  }

  append(request: AppendRequest): Promise<AppendResult> {
    return whenReady(this.#callOf(request), (call) => this.#admit(request, call)) as Promise<AppendResult>;
  }

  #admit(request: AppendRequest, call: AppendCall): Promise<AppendResult> {
    const { taskId, events, expectedVersion } = request;
    const write = async (): Promise<AppendResult> => {
      // If the append cannot do it itself.
      if (request.lookInMs !== undefined && !this.deps.isOneServer) await this.deps.agenda.date(taskId, request.lookInMs);
      return whileReachable(() => this.#append(request, call));
    };
    // A creation has been admitted with everything that belongs to it.
    if (expectedVersion === 0) return write();
    const isEnd = mustFit(events);
    return this.deps.capacity.admit(isEnd ? 'end' : 'record', lengthOf(call), write);
  }

  async create(request: AppendRequest, registration: Registration, accounts: readonly Account[]): Promise<AppendResult | LimitRefusal> {
    const { index, isOneServer, keys } = this.deps;
    const { taskId, row, retires } = request;
    if (!isOneServer || row === undefined || retires !== undefined) {
      const answer = await index.register(registration, accounts);
      if (answer.verdict !== 'registered') return answer;
      return this.append(request);
    }
    const { names, args, stored } = await this.#callOf(request);
    const { args: countArgs, ofAccounts, sets } = registering(keys, registration, accounts);
    const rowSets = setsOf(keys.rows(taskId), row);
    const all = { ...args, ...countArgs, rowJson: storedRow(row), rowSets: rowSets.length };
    const result = await whileReachable(() => this.#create(names, all, [...ofAccounts, ...rowSets, ...stored], sets));
    return typeof result === 'string' ? result : limitRefusal(result, accounts);
  }

  async #append(request: AppendRequest, call: AppendCall): Promise<AppendResult> {
    const { taskId, expectedVersion, events, retires, row } = request;
    const { index, operators, isOneServer, keys } = this.deps;
    // All events that a new task takes over from another one can wait.
    const isNeeded = expectedVersion > 0 && mustFit(events);
    if (isOneServer) {
      if (retires === undefined) return this.#scripts.append(call, isNeeded);
      return this.#scripts.end(call, retiring(keys, retires.accounts, taskId, retires));
    }
    await this.#dateRecipients(request, RECIPIENT_GRACE_MS);
    const result = await this.#scripts.appendAlone(call, isNeeded);
    if (result !== 'appended') return result;
    await this.#dateRecipients(request, 0);
    if (row !== undefined) operators.note(row);
    if (retires !== undefined) await index.retire(retires.accounts, taskId, retires.keptMs, retires.storedMs);
    return result;
  }

  async #dateRecipients({ taskId, webhooks = [] }: AppendRequest, inMs: number): Promise<void> {
    if (webhooks.length === 0) return;
    await this.deps.webhooks.date(
      webhooks.map(({ endpoint }) => ({ taskId, endpoint })),
      inMs,
    );
  }

  #callOf(request: AppendRequest): AppendCall | Promise<AppendCall> {
    return whenReady(textsOf(this.deps.codec, request, MAX_OUTCOME_IN_VIEW_BYTES), (texts) => this.#callWith(request, texts));
  }

  #callWith(request: AppendRequest, texts: TaskTexts): AppendCall {
    const { taskId, epoch, lookInMs, row } = request;
    const { view } = request.projection;
    const { keys, isOneServer } = this.deps;
    const session = visibleTo(request);
    this.#appends += 1;
    const retention = retentionOf(view);
    const names = {
      events: keys.events(taskId),
      view: keys.view(taskId),
      keptView: keys.keptView(taskId),
      eventsCopy: keys.eventsCopy(taskId),
      eventsBefore: keys.eventsBefore(taskId),
      agendaShard: keys.unfinished(taskId),
      rows: keys.rows(taskId),
    };
    const args = {
      taskId,
      appendId: `${this.#writer}-${this.#appends}`,
      viewJson: texts.view,
      outcomeJson: texts.outcome,
      changes: keys.changes(taskId),
      change: changeText(request),
      interrupted: request.interrupts === true ? keys.interrupted() : undefined,
      session: session === undefined ? undefined : keys.sessionChanged(session),
      rowJson: isOneServer && row !== undefined ? storedRow(row) : undefined,
      expectedVersion: request.expectedVersion,
      epoch,
      epochAfter: String(request.epochAfter),
      fromBeginMs: retention?.fromBeginMs,
      fromEndMs: retention?.fromEndMs,
      operatorsMs: retention?.keptMs,
      maxBytes: request.maxBytes,
      keepMs: String(this.deps.keepContinuedMs ?? DEFAULT_KEEP_CONTINUED_MS),
      lookInMs: isOneServer ? lookInMs : undefined,
    };
    const stored = texts.events.flatMap(({ type, data, meta }) => [type, data, meta]);
    if (texts.webhooks === undefined) return { names, args, stored };
    return { names, args, stored, webhooks: { names: this.deps.webhooks.namesFor(taskId), due: texts.webhooks } };
  }

  async readPage(taskId: TaskId, afterVersion: number, maxBytes: number, isNew = false): Promise<HistoryPage> {
    const { keys } = this.deps;
    const only = isNew && afterVersion === 0 ? await this.#readOnly(taskId) : undefined;
    if (only !== undefined) return only;
    const names = { events: keys.events(taskId), view: keys.view(taskId), keptView: keys.keptView(taskId) };
    const { isLast, bytes, entries } = await whileReachable(() => this.#readPage(names, { after: `${afterVersion}-0`, maxBytes }));
    const version = Number.parseInt(entries.at(-1)?.[0] ?? String(afterVersion), 10);
    const first = version - entries.length + 1;
    const events = await eventsFrom(
      this.deps.codec,
      taskId,
      first,
      entries.map(([, fields]) => storedOf(fields)),
    );
    return { events, version, isLast, historyBytes: bytes };
  }

  read(taskId: TaskId, afterVersion?: number): Promise<readonly TaskEvent[]> {
    return readHistory(this, taskId, afterVersion);
  }

  async views(taskIds: readonly TaskId[], reader: TaskReader = 'client'): Promise<readonly (TaskView | undefined)[]> {
    if (taskIds.length === 0) return [];
    const { keys } = this.deps;
    const views = await this.#views(taskIds, (taskId) => keys.view(taskId));
    const others = reader === 'client' ? [] : taskIds.filter((_, at) => views[at] === undefined);
    if (others.length === 0) return views;
    const kept = new Map((await this.#views(others, (taskId) => keys.keptView(taskId))).map((view) => [view?.taskId, view]));
    return views.map((view, at) => view ?? kept.get(taskIds[at]));
  }

  async readOutcome(taskId: TaskId, reader: TaskReader = 'client'): Promise<{ view: TaskView; outcome?: Outcome } | undefined> {
    const { redis, keys } = this.deps;
    const read = (key: string) => whileReachable(() => redis.hmget(key, 'view', 'version', 'outcome'));
    const own = await read(keys.view(taskId));
    const [viewText, version, outcomeText] = typeof own[0] === 'string' || reader === 'client' ? own : await read(keys.keptView(taskId));
    if (typeof viewText !== 'string') return undefined;
    const view = await viewFrom(this.deps.codec, { taskId, version: Number(version) }, viewText);
    if (view.ending === undefined) return { view };
    if (typeof outcomeText === 'string') return { view, outcome: await outcomeFrom(this.deps.codec, view, outcomeText) };
    // Nothing follows the end of a task, so the last event is the one that ended it.
    const [lastEvent] = (await this.readPage(taskId, view.version - 1, 1)).events;
    const outcome = lastEvent && outcomeBy(lastEvent);
    // Without its events the task has expired between the two reads.
    return outcome && { view, outcome };
  }

  async subscribe(taskId: TaskId, listener: (ended?: EndedTask) => void, known?: KnownTask): Promise<Unsubscribe> {
    const unsubscribe = await whileReachable(() =>
      this.#channels.add(taskId, (message) => {
        const endAt = message?.indexOf('\n') ?? -1;
        const end = endAt < 0 ? undefined : endFrom(this.deps.codec, taskId, message?.slice(endAt + 1) ?? '');
        if (end instanceof Promise) void end.then(listener);
        else listener(end);
      }),
    );
    if (known !== undefined && !this.#channels.isCurrent(taskId, known)) listener();
    return unsubscribe;
  }

  onSessionChange(sessionId: string, listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.#listen(this.deps.keys.sessionChanged(sessionId), (message) => {
      // After a reconnect it is unknown which tasks changed; their clients poll too.
      if (message !== undefined) listener(message as TaskId);
    });
  }

  async advanceMark(taskId: TaskId, mark: DeliveryMark, to: number): Promise<number | undefined> {
    const delivered = this.deps.keys.delivered(taskId);
    return whileReachable(() => this.#advance({ delivered }, { mark, to, ttlMs: MARK_TTL_MS }));
  }

  onInterrupted(listener: (taskId: TaskId) => void): Promise<Unsubscribe> {
    return this.#listen(this.deps.keys.interrupted(), (message) => {
      // After a reconnect it is unknown which task it was; a worker learns of a missed interruption from its next append.
      if (message !== undefined) listener(message as TaskId);
    });
  }

  onChange(listener: (change?: TaskChange) => void): Promise<Unsubscribe> {
    return whileReachable(() => this.#channels.addToAll((message) => listener(message === undefined ? undefined : changeFrom(message))));
  }

  async close(): Promise<void> {
    // The connections belong to the store.
  }

  #listen(channel: string, listener: (message: string | undefined) => void): Promise<Unsubscribe> {
    return whileReachable(() => this.deps.subscriptions.add(channel, listener));
  }

  /** The only event; nothing when there are none or several. */
  async #readOnly(taskId: TaskId): Promise<HistoryPage | undefined> {
    const { redis, keys } = this.deps;
    const [entry, ...more] = await whileReachable(() => redis.xrange(keys.events(taskId), '-', '+', 'COUNT', 2));
    if (entry === undefined || more.length > 0) return undefined;
    const [id, fields] = entry;
    const event = storedOf(fields);
    const version = Number.parseInt(id, 10);
    const events = await eventsFrom(this.deps.codec, taskId, version, [event]);
    return { events, version, isLast: true, historyBytes: storedBytes([event]) };
  }

  async #views(taskIds: readonly TaskId[], nameOf: (taskId: TaskId) => string): Promise<(TaskView | undefined)[]> {
    const { redis, codec } = this.deps;
    // No pipeline: the commands of one turn are written together anyway, and a cluster's keys lie in different slots.
    const stored = await whileReachable(() => Promise.all(taskIds.map((taskId) => redis.hmget(nameOf(taskId), 'view', 'version'))));
    return Promise.all(
      taskIds.map(async (taskId, at) => {
        const [text, version] = stored[at] ?? [];
        return typeof text === 'string' ? viewFrom(codec, { taskId, version: Number(version) }, text) : undefined;
      }),
    );
  }
}

function lengthOf({ args: { viewJson, outcomeJson = '' }, stored, webhooks }: AppendCall): number {
  const texts = [...stored, ...(webhooks?.due ?? []).map(({ message }) => message)];
  return texts.reduce((length, text) => length + text.length, viewJson.length + outcomeJson.length);
}

/** Fields come in the order in which the script writes them. */
function storedOf([, type = '', , data = '', , meta = '']: string[]): StoredEvent {
  return { type, data, meta } as StoredEvent;
}
