/** Operations on all tasks that fit a filter: they go on when their process dies. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type OperatorService, type RowStatus, TaskError, type TaskFilter, type TaskId } from '@longhaul/tasks';
import type { Audited } from '../access/audit.js';
import type { Operator } from '../access/door.js';
import { Refused } from '../http/problems.js';
import type { BulkAction, BulkRecord, BulkRecords } from './bulk-record.js';
import { type ActVerdict, runBulk } from './bulk-run.js';
import { countTasks, findTasks } from './find-tasks.js';

/** How often a process looks for operations that nobody works on. */
const LOOK_MS = 1_000;
const SAMPLE = 20;

/** To which tasks an action can be done. */
const STATUSES: Readonly<Record<BulkAction, readonly RowStatus[]>> = {
  cancel: ['working', 'input_required'],
  retry: ['failed', 'cancelled'],
};

/** What is asked for. */
export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: TaskFilter;
}

/** What they work with. */
export interface BulkDeps {
  readonly tasks: OperatorService;
  readonly records: BulkRecords;
  readonly audited: Audited;
  readonly onError: (error: unknown) => void;
}

/** The bulk operations of a deployment, as one process sees them. */
export class BulkOperations {
  readonly #closing = new AbortController();
  readonly #runs = new Map<string, Promise<void>>();
  #taking: Promise<void> | undefined;

  constructor(private readonly deps: BulkDeps) {}

  /** How many tasks an operation would be done to, and some of them. @throws Refused 400 for a filter that no task of the action fits */
  count(request: BulkRequest): Promise<{ readonly matched: number; readonly sample: readonly TaskId[] }> {
    return countTasks(this.deps.tasks, filterFor(request, Date.now()), SAMPLE);
  }

  /** Begins an operation here. */
  async start(request: BulkRequest, who: Operator, reason: string): Promise<BulkRecord> {
    const createdAt = Date.now();
    const filter = filterFor(request, createdAt);
    const { matched } = await countTasks(this.deps.tasks, filter, 0);
    const record: BulkRecord = {
      id: randomUUID(),
      action: request.action,
      filter,
      who: who.name,
      reason,
      createdAt,
      matched,
      state: 'running',
      done: 0,
      skipped: 0,
      failed: 0,
      failures: [],
      pending: [],
      isLast: false,
      heldUntil: 0,
    };
    await this.deps.records.add(record);
    this.#run(record.id);
    return record;
  }

  list(): Promise<readonly BulkRecord[]> {
    return this.deps.records.all();
  }

  /** @throws Refused 404 */
  async get(id: string): Promise<BulkRecord> {
    const record = await this.deps.records.get(id);
    if (record === undefined) throw new Refused(404, 'NO_SUCH_OPERATION', 'There is no such bulk operation, or it has been forgotten.');
    return record;
  }

  /** Ends it before it is done, also while another process works on it: within a second. @throws Refused 404, 409 when it has ended */
  async abort(id: string): Promise<BulkRecord> {
    const aborted = await this.deps.records.change(id, (present) =>
      present.state === 'running' ? { ...present, state: 'aborted', endedAt: Date.now() } : undefined,
    );
    if (aborted !== undefined) return aborted;
    const { state } = await this.get(id);
    throw new Refused(409, 'OPERATION_ENDED', `The bulk operation is ${state} already.`);
  }

  /** Goes on here with one that nobody works on. @throws Refused 404, 409 when it has ended */
  async resume(id: string): Promise<BulkRecord> {
    const record = await this.get(id);
    if (record.state !== 'running') throw new Refused(409, 'OPERATION_ENDED', `The bulk operation is ${record.state} already.`);
    this.#run(id);
    return record;
  }

  /** From now on, goes on with all operations that nobody works on. */
  takeOver(): void {
    this.#taking ??= this.#keepTaking();
  }

  /** Leaves what is under way to others. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#taking, ...this.#runs.values()]);
  }

  async #keepTaking(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const running = (await this.deps.records.all()).filter(({ state, heldUntil }) => state === 'running' && heldUntil <= Date.now());
        for (const { id } of running) this.#run(id);
      } catch (error) {
        this.deps.onError(error);
      }
      await delay(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  #run(id: string): void {
    if (this.#runs.has(id)) return;
    const run = this.#work(id)
      .catch(this.deps.onError)
      .finally(() => this.#runs.delete(id));
    this.#runs.set(id, run);
  }

  async #work(id: string): Promise<void> {
    const { tasks, records, audited } = this.deps;
    const record = await runBulk(
      {
        records,
        holder: randomUUID(),
        find: ({ filter, after }, limit) => findTasks(tasks, filter, limit, after),
        act: (present, taskId) => act(tasks, present, taskId),
        signal: this.#closing.signal,
      },
      id,
    );
    if (record === undefined || record.state === 'running') return;
    const { action, who, reason, state, done, skipped, failed } = record;
    const by: Operator = { name: who, role: 'operate' };
    const details = { state, done, skipped, failed };
    await audited({ who: by, action: `bulk.${action}.end`, target: id, reason, details }, async () => undefined);
  }
}

/** Who did it, for the record of a task: by this an act that is done again knows that it was done. */
function authorOf({ who, id }: BulkRecord): string {
  return `operator:${who}/bulk:${id}`;
}

async function act(tasks: OperatorService, record: BulkRecord, taskId: TaskId): Promise<ActVerdict> {
  const by = authorOf(record);
  try {
    if (record.action === 'retry') await tasks.fork(taskId, { forkId: forkIdOf(record, taskId) });
    else await tasks.cancel(taskId, { by, reason: record.reason });
    return 'done';
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    if (error.code === 'TASK_NOT_FOUND') return 'skipped';
    if (error.code !== 'TASK_ENDED' || record.action !== 'cancel') throw error;
    const { outcome } = await tasks.get(taskId);
    return outcome?.kind === 'cancelled' && outcome.by === by ? 'done' : 'skipped';
  }
}

/** Always the same for a task of an operation, so that doing it again makes no second one. */
function forkIdOf({ id }: BulkRecord, taskId: TaskId): TaskId {
  const bytes = createHash('sha256').update(`longhaul bulk ${id} ${taskId}`).digest().subarray(0, 16);
  // The marks of a random UUID, which the ids of tasks are.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-') as TaskId;
}

/** Tasks that are created from now on are not meant. */
function filterFor({ action, filter }: BulkRequest, now: number): TaskFilter {
  const allowed = STATUSES[action];
  const status =
    filter.status === undefined
      ? allowed.slice(0, action === 'retry' ? 1 : undefined)
      : filter.status.filter((one) => allowed.includes(one));
  if (status.length === 0)
    throw new Refused(400, 'INVALID_REQUEST', `filter.status: only tasks of these can be given to "${action}": ${allowed.join(', ')}`, [
      { field: 'filter.status', message: `must be one of ${allowed.join(', ')}` },
    ]);
  return { ...filter, status, createdBefore: Math.min(filter.createdBefore ?? now, now) };
}
