/**
 * Counts tasks by the appends of a process, and adds the counts to the store every few seconds: so a task costs no command more. While the
 * store is away, the counts wait.
 */
import type { Spending } from '../domain/spending.js';
import type { AppendRequest, EventStore } from '../ports/event-store.js';
import { type Count, type CountName, durationClass, type TaskCounters } from '../ports/task-counters.js';
import type { StoredEvent } from '../ports/stored-event.js';
import { wrappedStore } from '../ports/wrapped-store.js';
import { isStoreError } from '../errors.js';

const BILLION = 1e9;

/** How long counts wait for others. */
const GATHER_MS = 2_000;

/** Tools that are counted by themselves between two additions; the others are counted together. */
const MAX_TOOLS = 1_000;

/** The name under which the others are counted. */
export const OTHER_TOOLS = '(other tools)';

/** The counts of a process. */
export class TaskTally {
  #tools = new Map<string, Map<CountName, number>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly counters: Pick<TaskCounters, 'add'>,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Counts an append that was written. An imported task has a past of its own, and is not counted. */
  note({ expectedVersion, row, events, projection }: AppendRequest): void {
    if (expectedVersion > 0) for (const event of events) this.#noteSpending(projection.view.tool, event);
    if (row === undefined) return;
    const { tool, createdAt, endedAt, status } = row;
    if (expectedVersion === 0 && endedAt === undefined) this.#count(tool, 'created', 1);
    if (expectedVersion === 0 || endedAt === undefined || status === 'working' || status === 'input_required') return;
    this.#count(tool, status, 1);
    // A cancelled task took as long as somebody waited.
    if (status !== 'cancelled') this.#count(tool, `took:${durationClass(endedAt - createdAt)}`, 1);
  }

  /** Adds at once what was counted. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const tools = this.#tools;
    if (tools.size === 0) return;
    this.#tools = new Map();
    const counts = [...tools].flatMap(([tool, names]) => [...names].map(([name, value]): Count => ({ tool, name, value })));
    try {
      await this.counters.add(counts);
    } catch (error) {
      if (!isStoreError(error)) return this.onError(error);
      for (const { tool, name, value } of counts) this.#count(tool, name, value);
    }
  }

  /** Each amount is counted for the tool that has spent it, and not again for those that have called it. */
  #noteSpending(tool: string, event: StoredEvent): void {
    if (event.type !== 'SpendingReported') return;
    const { cost = 0, tokens = 0 } = JSON.parse(event.data) as Spending;
    if (tokens > 0) this.#count(tool, 'tokens', tokens);
    if (cost > 0) this.#count(tool, 'costBillionths', Math.round(cost * BILLION));
  }

  /** The timer runs from the first count on. */
  #count(tool: string, name: CountName, value: number): void {
    const known = this.#tools.has(tool) || this.#tools.size < MAX_TOOLS ? tool : OTHER_TOOLS;
    const names = this.#tools.get(known) ?? new Map<CountName, number>();
    this.#tools.set(known, names.set(name, (names.get(name) ?? 0) + value));
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }
}

/** The store, whose written appends are counted. */
export function countedEvents(events: EventStore, tally: Pick<TaskTally, 'note'>): EventStore {
  return wrappedStore(events, {
    async append(request) {
      const result = await events.append(request);
      if (result === 'appended') tally.note(request);
      return result;
    },
    async create(request, ...limits) {
      const result = await events.create(request, ...limits);
      if (result === 'appended') tally.note(request);
      return result;
    },
  });
}
