/**
 * Creation: the idempotency key is claimed first, with the id that the task will have; then the task is
 * counted in and its first event written, in one step where the store can. A caller that died in between and asks again under the
 * same key goes on where it stopped. Once the task existed its key never starts it again: the first look of
 * the sweep, or the end of the task, marks the key as used, and the task is kept at least a minute after that.
 */
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { TaskBackend } from '../ports/backend.js';
import type { TaskCreatedData, TaskEvent } from '../domain/events.js';
import { jsonSize } from '../domain/json-size.js';
import type { TaskId } from '../domain/task-id.js';
import { StoreUnreached, TaskError } from '../errors.js';
import type { TaskView } from '../domain/projections/task-view.js';
import type { HeldClaim, LimitsOf } from '../ports/task-index.js';
import type { Patience } from './patience.js';
import type { QueueLimit } from './queue-limit.js';
import { createCounted } from './register-task.js';
import { KEY_TTL_MS, type TaskWriter } from '../write/task-writer.js';
import { wholeMs } from '../domain/milliseconds.js';

/** What a smaller task begins with is not counted. */
const SMALL_TASK_BYTES = 4 * 1024;

/** What creation needs. */
export interface TaskCreation {
  readonly backend: TaskBackend;
  readonly writer: TaskWriter;
  readonly limitsOf: LimitsOf;
  readonly patience: Patience;
  readonly newTaskId: () => TaskId;
  /** Of what waits for workers. @defaultValue none */
  readonly queueLimit?: QueueLimit;
}

/** A task that is to be created. */
interface NewTask {
  readonly task: TaskCreatedData;
  /** What it takes over from its origin. */
  readonly recorded: readonly TaskEvent[];
  /** What is counted of both. */
  readonly bytes: number;
}

/**
 * Creates the task, or finds the one that its idempotency key stands for.
 *
 * @param recorded what a fork takes over from its origin: it is there from the start, or the task is not
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`, `QUEUE_FULL`, `IDEMPOTENCY_MISMATCH`, `IDEMPOTENCY_KEY_SPENT`, `STORE_FULL`
 */
export function createTask(creation: TaskCreation, task: TaskCreatedData, recorded: readonly TaskEvent[] = []): Promise<TaskView> {
  const all = recorded.reduce((bytes, { data }) => bytes + jsonSize(data), jsonSize(task));
  const bytes = all > SMALL_TASK_BYTES ? all : 0;
  return creation.backend.capacity.admit('creation', all, () => create(creation, { task, recorded, bytes }));
}

async function create(
  { backend, writer, limitsOf, patience, newTaskId, queueLimit }: TaskCreation,
  { task, recorded, bytes }: NewTask,
): Promise<TaskView> {
  const { taskId, isUsed } = await idOf(backend, task, newTaskId());
  const existing = task.idempotencyKey === undefined ? undefined : (await backend.events.views([taskId]))[0];
  if (existing !== undefined) return existing;
  if (isUsed) throw new TaskError('IDEMPOTENCY_KEY_SPENT');
  await queueLimit?.requireRoom();
  const at = writer.now;
  const registration = { taskId, createdAt: at, implicit: task.implicit === true, bytes };
  const { view: created } = await createCounted({ backend, writer, limitsOf }, task, (accounts) => {
    const create = () => writer.create({ type: 'CreateTask', at, task, recorded }, registration, accounts);
    // When the reply is lost nobody knows whether the task exists, and its id is known here only.
    return create().catch((error: unknown) => (mayBeDone(error) ? patience.run(create) : Promise.reject(error)));
  });
  // Another request with the same key was faster, or an earlier try of this one.
  const present = created ?? (await patience.run(() => backend.events.views([taskId])))[0];
  if (present === undefined) throw new TaskError('STORE_CONTENTION');
  return present;
}

function mayBeDone(error: unknown): boolean {
  return error instanceof TaskError && error.code === 'STORE_UNAVAILABLE' && !(error instanceof StoreUnreached);
}

async function idOf({ index, codec }: TaskBackend, task: TaskCreatedData, taskId: TaskId): Promise<Pick<HeldClaim, 'taskId' | 'isUsed'>> {
  const { idempotencyKey, owner } = task;
  if (idempotencyKey === undefined) return { taskId, isUsed: false };
  const said = whatIsAsked(task);
  const [fingerprint = '', ...others] = (await codec.digestsFor(owner)).map((digest) => digest(said));
  const claim = await index.claimKey(owner, idempotencyKey, { taskId, fingerprint }, wholeMs(KEY_TTL_MS));
  if (![fingerprint, ...others].includes(claim.fingerprint)) throw new TaskError('IDEMPOTENCY_MISMATCH');
  return claim;
}

/** Equal for calls that mean the same; the order of the arguments' members does not matter. */
function whatIsAsked({ tool, arguments: args, refused, implicit = false }: TaskCreatedData): string {
  return canonicalJson([tool, implicit, args, ...(refused === undefined ? [] : [refused])]);
}
