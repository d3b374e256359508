/** Operations on all tasks that fit a filter: other processes continue them when their process dies. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, JsonObject, OperatorService, RetryFrom, RowStatus, OperatorFilter, TaskId, TaskIndexPosition } from '@longhaul/tasks';
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { Audited } from '../access/audit.js';
import type { Operator } from '../access/door.js';
import { type GivenAnswer, requireAnswers } from '../answers/answer-of.js';
import { Refused } from '../http/problems.js';
import { act } from './bulk-act.js';
import { type BulkAction, type BulkRecord, type BulkRecords, NOTHING_DONE } from './bulk-record.js';
import { runBulk } from './bulk-run.js';
import { findMade, type MadePage } from './find-made.js';
import { countTasks, findTasks, type Sought } from './find-tasks.js';

/** How often a process looks for operations that no process works on. */
const LOOK_MS = 1_000;
const SAMPLE = 20;

/** The statuses of tasks that an action applies to. */
const STATUSES: Readonly<Record<BulkAction, readonly RowStatus[]>> = {
  cancel: ['working', 'input_required'],
  retry: ['failed', 'cancelled'],
  answer: ['input_required'],
};

/** The requested operation. */
export interface BulkRequest {
  readonly action: BulkAction;
  readonly filter: OperatorFilter;
  /** The answer to each question, if that is the action. */
  readonly answer?: GivenAnswer | undefined;
  /** Retries tasks that were retried before. */
  readonly force?: boolean | undefined;
  /** Where the new tasks begin, if the action is to retry. */
  readonly from?: RetryFrom | undefined;
  /** A JSON merge patch on their arguments. */
  readonly patch?: JsonObject | undefined;
  /** A repeated request with this key begins nothing. */
  readonly idempotencyKey?: string | undefined;
  /** How many tasks it would change, as its author has seen. */
  readonly shown?: number | undefined;
}

/** The parts of bulk operations. */
export interface BulkDeps {
  readonly tasks: OperatorService;
  readonly records: BulkRecords;
  /** The clock of the store, by which tasks were created. */
  readonly clock: Clock;
  readonly audited: Audited;
  readonly answersAllowed: boolean;
  readonly onError: (error: unknown) => void;
}

/** The bulk operations of a deployment, as one process sees them. */
export class BulkOperations {
  readonly #closing = new AbortController();
  readonly #runs = new Map<string, Promise<void>>();
  #taking: Promise<void> | undefined;

  constructor(private readonly deps: BulkDeps) {}

  /** How many tasks an operation would change, and some of them. @throws Refused 400 for a filter that no task of the action fits */
  count(request: BulkRequest): Promise<{ readonly matched: number; readonly sample: readonly TaskId[] }> {
    return countTasks(this.deps.tasks, soughtBy({ ...request, filter: filterFor(request, this.deps.clock()) }), SAMPLE);
  }

  /**
   * Begins an operation here, or finds the one with its idempotency key.
   *
   * @throws Refused 400 as `count`, 403 for answers if operators may give none, 409 for more tasks than were shown, and for a key that was
   * given with another request
   */
  async start(request: BulkRequest, who: Operator, reason: string): Promise<BulkRecord> {
    const { action, answer, force, from, patch, idempotencyKey, shown = Infinity } = request;
    if (action === 'answer') requireAnswers(this.deps.answersAllowed);
    const createdAt = this.deps.clock();
    const filter = filterFor(request, createdAt);
    const asked = askedBy(request, who);
    if (idempotencyKey !== undefined) {
      const begun = (await this.deps.records.all()).find((record) => record.idempotencyKey === idempotencyKey);
      if (begun !== undefined) return sameRequest(begun, asked);
    }
    const { matched } = await countTasks(this.deps.tasks, soughtBy({ action, filter, force }), 0);
    if (matched > shown)
      throw new Refused(409, 'MORE_TASKS_FIT', `${matched} tasks fit by now, and ${shown} were shown: count them again.`);
    const record: BulkRecord = {
      id: randomUUID(),
      action,
      ...(answer !== undefined && { answer }),
      ...(force === true && { force }),
      ...(from !== undefined && { from }),
      ...(patch !== undefined && { patch }),
      ...(idempotencyKey !== undefined && { idempotencyKey, asked }),
      filter,
      who: who.name,
      reason,
      createdAt,
      matched,
      ...NOTHING_DONE,
      isLast: false,
    };
    const added = await this.deps.records.add(record);
    if (added.id !== record.id) return sameRequest(added, asked);
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

  /** A page of the tasks that a retry has made, by the tasks that it retried. @throws Refused 404 */
  async made(id: string, limit: number, after: TaskIndexPosition | undefined): Promise<MadePage> {
    const record = await this.get(id);
    return record.action === 'retry' ? findMade(this.deps.tasks, record, limit, after) : { made: [] };
  }

  /** Ends it early, within a second, even if another process works on it. @throws Refused 404, 409 when it has ended */
  async abort(id: string): Promise<BulkRecord> {
    const aborted = await this.deps.records.change(id, (present) =>
      present.state === 'running' ? { ...present, state: 'aborted', endedAt: this.deps.clock() } : undefined,
    );
    if (aborted !== undefined) return aborted;
    const { state } = await this.get(id);
    throw new Refused(409, 'OPERATION_ENDED', `The bulk operation is ${state} already.`);
  }

  /** Continues an operation here that no process works on. @throws Refused 404, 409 when it has ended */
  async resume(id: string): Promise<BulkRecord> {
    const record = await this.get(id);
    if (record.state !== 'running') throw new Refused(409, 'OPERATION_ENDED', `The bulk operation is ${record.state} already.`);
    this.#run(id);
    return record;
  }

  /** From now on, continues all operations that no process works on. */
  takeOver(): void {
    this.#taking ??= this.#keepTaking();
  }

  /** Leaves running operations to other processes. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#taking, ...this.#runs.values()]);
  }

  async #keepTaking(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        const running = (await this.deps.records.all()).filter(
          ({ state, heldUntil }) => state === 'running' && heldUntil <= this.deps.clock(),
        );
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
    const { tasks, records, clock, audited } = this.deps;
    const record = await runBulk(
      {
        records,
        clock,
        holder: randomUUID(),
        find: (present, limit) => findTasks(tasks, soughtBy(present), limit, present.after),
        act: (present, taskId) => act(tasks, present, taskId),
        signal: this.#closing.signal,
      },
      id,
    );
    if (record === undefined || record.state === 'running') return;
    const { action, who, reason, state, done, skipped, failed, made } = record;
    const by: Operator = { name: who, role: 'operate' };
    const details = {
      state,
      done,
      skipped,
      failed,
      ...(made.length > 0 && { made: made.map(({ taskId, retriedAs }) => ({ taskId, retriedAs })) }),
    };
    await audited({ who: by, action: `bulk.${action}.end`, target: id, reason, details }, async () => undefined);
  }
}

function soughtBy({ action, filter, force }: Pick<BulkRequest, 'action' | 'filter' | 'force'>): Sought {
  return { filter, isFirstRetry: action === 'retry' && force !== true };
}

/** A digest of what a request asks for. */
function askedBy({ action, filter, answer, force, from, patch }: BulkRequest, who: Operator): string {
  const asked = canonicalJson({ action, filter, answer, force: force === true, from: from ?? 'start', patch, who: who.name });
  return createHash('sha256').update(asked).digest('base64url');
}

function sameRequest(begun: BulkRecord, asked: string): BulkRecord {
  if (begun.asked === asked) return begun;
  const message = `The idempotency key was given for operation ${begun.id}, which does something else.`;
  throw new Refused(409, 'IDEMPOTENCY_MISMATCH', message, [{ field: 'idempotencyKey', message }]);
}

/** Later tasks are excluded. */
function filterFor({ action, filter }: BulkRequest, now: number): OperatorFilter {
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
