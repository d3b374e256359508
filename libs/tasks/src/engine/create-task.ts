/**
 * Creates tasks. The idempotency key is claimed first, with the id that the task will have. Then the task is counted and its first event is
 * written, in one step where the store can do that. A caller that died in between and asks again under the same key continues where it
 * stopped. Once the task existed, its key never starts it again: the first look of the sweep, or the end of the task, marks the key as
 * used. The task is kept at least a minute after that.
 */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { TaskCreatedData, TaskEvent } from '../domain/events.js';
import { jsonSize } from '../domain/json-size.js';
import { CALL_ENDPOINT } from '../domain/webhook-kinds.js';
import { wholeMs } from '../domain/milliseconds.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { TaskId } from '../domain/task-id.js';
import { StoreUnreached, TaskError } from '../errors.js';
import { OWNERS_PER_ADDRESS } from '../limits.js';
import type { TaskStore } from '../ports/task-store.js';
import type { Account, HeldClaim, LimitRefusal, LimitsOf, OwnerLimits } from '../ports/task-index.js';
import { accountsOf, isAddressAccount } from '../write/accounts.js';
import { KEY_TTL_MS, type TaskWriter } from '../write/task-writer.js';
import { ORPHAN_AGE_MS } from './list-tasks.js';
import type { OutageRetry } from './outage-retry.js';
import type { QueueLimit } from './queue-limit.js';
import { isView, readableViews } from './readable-views.js';
import { searchKeysOf } from './search-keys.js';
import type { WithWebhooks } from './webhooks/task-webhooks.js';

/** The first event of a smaller task is not counted. */
const SMALL_TASK_BYTES = 4 * 1024;

/** Dependencies of creation. */
export interface TaskCreation {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly limitsOf: LimitsOf;
  readonly outageRetry: OutageRetry;
  readonly newTaskId: () => TaskId;
  /** The limit for passes that wait for workers. @defaultValue none */
  readonly queueLimit?: QueueLimit;
  /** Adds the endpoints that the task notifies. @defaultValue the one that its call names */
  readonly withWebhooks?: WithWebhooks | undefined;
}

/** The task to create. */
interface NewTask {
  readonly task: TaskCreatedData;
  /** The events that it takes over from its origin. */
  readonly recorded: readonly TaskEvent[];
  /** The bytes of both that are counted. */
  readonly bytes: number;
}

/**
 * Creates the task, or finds the one that its idempotency key stands for.
 *
 * @param recorded the events that a fork takes over from its origin: they are there from the start, or the task is not created
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`, `QUEUE_FULL`, `IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_SPENT`, `STORE_FULL`
 */
export async function createTask(creation: TaskCreation, given: TaskCreatedData, recorded: readonly TaskEvent[] = []): Promise<TaskView> {
  const { withWebhooks = (task) => task } = creation;
  const named = withWebhooks(given);
  const task = named.searchable === undefined ? named : { ...named, searchKeys: await searchKeysOf(creation.store.codec, named) };
  const all = recorded.reduce((bytes, { data }) => bytes + jsonSize(data), jsonSize(task));
  const bytes = all > SMALL_TASK_BYTES ? all : 0;
  return creation.store.capacity.admit('creation', all, () => create(creation, { task, recorded, bytes }));
}

async function create(
  { store, writer, limitsOf, outageRetry, newTaskId, queueLimit }: TaskCreation,
  { task, recorded, bytes }: NewTask,
): Promise<TaskView> {
  const { taskId, isUsed } = await idOf(store, task, newTaskId());
  const existing = task.idempotencyKey === undefined ? undefined : (await store.events.views([taskId]))[0];
  if (existing !== undefined) return existing;
  if (isUsed) throw new TaskError('IDEMPOTENCY_KEY_SPENT');
  await queueLimit?.requireRoom();
  const at = writer.now;
  const registration = { taskId, createdAt: at, bytes };
  const { view: created } = await createCounted({ store, writer, limitsOf }, task, (accounts) => {
    const create = () => writer.create({ type: 'CreateTask', at, task, recorded }, registration, accounts);
    // When the reply is lost, it is unknown whether the task exists, and its id is known here only.
    return create().catch((error: unknown) => (mayBeDone(error) ? outageRetry.run(create) : Promise.reject(error)));
  });
  // Another request with the same key was faster, or an earlier try of this one.
  const present = created ?? (await outageRetry.run(() => store.events.views([taskId])))[0];
  if (present === undefined) throw new TaskError('STORE_CONTENTION');
  return present;
}

function mayBeDone(error: unknown): boolean {
  return error instanceof TaskError && error.code === 'STORE_UNAVAILABLE' && !(error instanceof StoreUnreached);
}

async function idOf({ index, codec }: TaskStore, task: TaskCreatedData, taskId: TaskId): Promise<Pick<HeldClaim, 'taskId' | 'isUsed'>> {
  const { idempotencyKey, owner } = task;
  if (idempotencyKey === undefined) return { taskId, isUsed: false };
  const said = whatIsAsked(task);
  const [fingerprint = '', ...others] = (await codec.digestsFor(owner)).map((digest) => digest(said));
  const claim = await index.claimKey(owner, idempotencyKey, { taskId, fingerprint }, wholeMs(KEY_TTL_MS));
  if (![fingerprint, ...others].includes(claim.fingerprint)) throw new TaskError('IDEMPOTENCY_MISMATCH');
  return claim;
}

/** A text that is equal for calls that mean the same; the order of the arguments' members does not matter. */
function whatIsAsked({ tool, arguments: args, refused, implicit = false, webhooks = [] }: TaskCreatedData): string {
  const named = webhooks.filter(({ endpoint }) => endpoint === CALL_ENDPOINT).map(({ url, events }) => ({ url, events }));
  return canonicalJson([tool, implicit, args, ...(refused === undefined ? [] : [refused]), ...named]);
}

/** How many tasks are checked for a missed end when the limit is reached. */
const RECONCILED = 1_000;

/** Dependencies of counting. */
export interface TaskRegistration {
  readonly store: TaskStore;
  readonly writer: TaskWriter;
  readonly limitsOf: LimitsOf;
}

/**
 * Creates a task that is counted under all of its accounts, or under none.
 *
 * @param create creates the task, unless that exceeds a limit of one of the accounts
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`
 */
async function createCounted<T>(
  { store, writer, limitsOf }: TaskRegistration,
  task: TaskCreatedData,
  create: (accounts: readonly Account[]) => Promise<T | LimitRefusal>,
): Promise<T> {
  const accounts = accountsOf(task).map((owner) => ({ owner, limits: limitsOfAccount(owner, limitsOf) }));
  const reconciled = new Set<string>();
  for (;;) {
    const answer = await create(accounts);
    if (!isLimitRefusal(answer)) return answer;
    const { owner } = answer.account;
    if (answer.verdict === 'too-many-per-minute' || reconciled.has(owner)) throw errorOf(answer);
    reconciled.add(owner);
    await reconcile(store, writer, owner);
  }
}

function isLimitRefusal(answer: unknown): answer is LimitRefusal {
  return typeof answer === 'object' && answer !== null && 'verdict' in answer;
}

/** The histories of an address may take no more than the histories of one owner. */
function limitsOfAccount(account: string, limitsOf: LimitsOf): OwnerLimits {
  const limits = limitsOf(account);
  if (!isAddressAccount(account)) return limits;
  const { concurrentTasks, tasksPerMinute, historyBytes } = limits;
  return { concurrentTasks: OWNERS_PER_ADDRESS * concurrentTasks, tasksPerMinute: OWNERS_PER_ADDRESS * tasksPerMinute, historyBytes };
}

function errorOf(answer: LimitRefusal): TaskError {
  const { concurrentTasks, tasksPerMinute, historyBytes } = answer.account.limits;
  switch (answer.verdict) {
    case 'too-many-tasks': {
      const message = `At most ${concurrentTasks} tasks may be unfinished at the same time.`;
      return new TaskError('TOO_MANY_TASKS', message, { limit: concurrentTasks });
    }
    case 'too-many-bytes': {
      const message = `The histories of all your tasks may take at most ${historyBytes} bytes; try again when some have expired.`;
      return new TaskError('TOO_MANY_BYTES', message, { limit: historyBytes });
    }
    case 'too-many-per-minute': {
      const { retryAfterMs } = answer;
      const message = `At most ${tasksPerMinute} tasks may be created in a minute; try again in ${Math.ceil(retryAfterMs / 1000)} s.`;
      return new TaskError('TOO_MANY_CREATIONS', message, { limit: tasksPerMinute, retryAfterMs });
    }
  }
}

/** A process that died between a task's registration and its first event, or its last event and its retirement, left it counted. */
async function reconcile({ index, events }: Pick<TaskStore, 'index' | 'events'>, writer: TaskWriter, owner: string): Promise<void> {
  const counted = await index.unretired(owner, RECONCILED);
  const views = await readableViews(
    events,
    counted.map(({ taskId }) => taskId),
    'client',
  );
  const gone = counted.filter(({ createdAt }, at) => views[at] === undefined && createdAt < writer.now - ORPHAN_AGE_MS);
  await index.forget(
    owner,
    gone.map(({ taskId }) => taskId),
  );
  for (const view of views) if (isView(view) && view.endedAt !== undefined) await writer.retire(view);
}
