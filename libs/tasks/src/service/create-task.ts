/**
 * Creation: the idempotency key is claimed first, with the id that the task will have; then the task is
 * counted in; then its first event is written. A caller that died in between and asks again under the
 * same key goes on where it stopped.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { TaskBackend } from '../backend.js';
import type { TaskCreatedData } from '../domain/events.js';
import type { Json } from '../domain/json.js';
import type { TaskId } from '../domain/task-id.js';
import { TaskError } from '../errors.js';
import type { TaskView } from '../projections/task-view.js';
import type { OwnerLimits } from '../store/task-index.js';
import { ORPHAN_AGE_MS } from './list-tasks.js';
import { roughSize } from './rough-size.js';
import type { TaskWriter } from './task-writer.js';

/** A key is remembered at least this long. */
const MIN_KEY_TTL_MS = 24 * 3_600_000;
/** Tasks that are looked at when the limit is reached, for such whose end was missed. */
const RECONCILED = 1_000;

/**
 * Creates the task, or finds the one that its idempotency key stands for.
 *
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_CREATIONS`, `IDEMPOTENCY_MISMATCH`, `STORE_FULL`
 */
export function createTask(backend: TaskBackend, writer: TaskWriter, limits: OwnerLimits, task: TaskCreatedData): Promise<TaskView> {
  return backend.capacity.admit('creation', roughSize(task), () => create(backend, writer, limits, task));
}

async function create(backend: TaskBackend, writer: TaskWriter, limits: OwnerLimits, task: TaskCreatedData): Promise<TaskView> {
  const taskId = await idOf(backend, task);
  const existing = task.idempotencyKey === undefined ? undefined : (await backend.events.views([taskId]))[0];
  if (existing !== undefined) return existing;
  const at = writer.now;
  await register(backend, writer, limits, { owner: task.owner, taskId, createdAt: at, implicit: task.implicit === true });
  const created = await writer.create(taskId, { type: 'CreateTask', at, task });
  // Another request with the same key was faster.
  const present = created ?? (await backend.events.views([taskId]))[0];
  if (present === undefined) throw new TaskError('STORE_CONTENTION');
  return present;
}

async function idOf({ index }: TaskBackend, task: TaskCreatedData): Promise<TaskId> {
  const taskId = randomUUID() as TaskId;
  const { idempotencyKey, owner, ttlMs } = task;
  if (idempotencyKey === undefined) return taskId;
  const fingerprint = fingerprintOf(task);
  const claim = await index.claimKey(owner, idempotencyKey, { taskId, fingerprint }, Math.max(ttlMs, MIN_KEY_TTL_MS));
  if (claim.fingerprint !== fingerprint) throw new TaskError('IDEMPOTENCY_MISMATCH');
  return claim.taskId;
}

/** Equal for calls that mean the same, whatever the order of their arguments' members. */
function fingerprintOf({ tool, arguments: args, implicit = false }: TaskCreatedData): string {
  return createHash('sha256')
    .update(JSON.stringify([tool, implicit, canonical(args)]))
    .digest('base64url');
}

function canonical(value: Json | undefined): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => canonical(item) ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, member]) => [name, canonical(member) ?? null]);
}

async function register(
  { index, events }: TaskBackend,
  writer: TaskWriter,
  limits: OwnerLimits,
  registration: Parameters<typeof index.register>[0],
): Promise<void> {
  let answer = await index.register(registration, limits);
  if (answer.verdict === 'too-many-tasks') {
    await reconcile({ index, events }, writer, registration.owner);
    answer = await index.register(registration, limits);
  }
  const { concurrentTasks, tasksPerMinute } = limits;
  if (answer.verdict === 'too-many-tasks')
    throw new TaskError('TOO_MANY_TASKS', `At most ${concurrentTasks} tasks may be unfinished at the same time.`, {
      limit: concurrentTasks,
    });
  if (answer.verdict === 'too-many-per-minute') {
    const { retryAfterMs } = answer;
    const seconds = Math.ceil(retryAfterMs / 1000);
    throw new TaskError('TOO_MANY_CREATIONS', `At most ${tasksPerMinute} tasks may be created in a minute; try again in ${seconds} s.`, {
      limit: tasksPerMinute,
      retryAfterMs,
    });
  }
}

/** A process that died between a task's registration and its first event, or its last event and its retirement, left it counted. */
async function reconcile({ index, events }: Pick<TaskBackend, 'index' | 'events'>, writer: TaskWriter, owner: string): Promise<void> {
  const counted = await index.unretired(owner, RECONCILED);
  const views = await events.views(counted.map(({ taskId }) => taskId));
  const gone = counted.filter(({ createdAt }, at) => views[at] === undefined && createdAt < writer.now - ORPHAN_AGE_MS);
  await index.forget(
    owner,
    gone.map(({ taskId }) => taskId),
  );
  for (const view of views) if (view?.endedAt !== undefined) await writer.retire(view.taskId, view);
}
