/** Counts a task that is about to be created, under each of its accounts. Each has limits. */
import type { TaskBackend } from '../backend.js';
import { accountsOf, isAddressAccount } from './accounts.js';
import type { TaskCreatedData } from '../domain/events.js';
import { TaskError } from '../errors.js';
import type { OwnerLimits, Registration } from '../store/task-index.js';
import { ORPHAN_AGE_MS } from './list-tasks.js';
import type { TaskWriter } from './task-writer.js';

/** Tasks that are looked at when the limit is reached, for such whose end was missed. */
const RECONCILED = 1_000;

/** An address may have as many tasks as this many owners, but their histories may take no more than those of one. */
const OWNERS_PER_ADDRESS = 8;

/** What counting needs. */
export interface TaskRegistration {
  readonly backend: TaskBackend;
  readonly writer: TaskWriter;
  readonly limits: OwnerLimits;
}

/**
 * Counts the task under all of its accounts, or under none.
 *
 * @throws TaskError `TOO_MANY_TASKS`, `TOO_MANY_BYTES`, `TOO_MANY_CREATIONS`
 */
export async function registerTask(deps: TaskRegistration, task: TaskCreatedData, counted: Omit<Registration, 'owner'>): Promise<void> {
  const accounts = accountsOf(task);
  const results = await Promise.allSettled(accounts.map((owner) => register(deps, { owner, ...counted })));
  const refused = results.find(({ status }) => status === 'rejected');
  if (refused?.status !== 'rejected') return;
  const counting = accounts.filter((_owner, at) => results[at]?.status === 'fulfilled');
  await Promise.all(counting.map((owner) => deps.backend.index.forget(owner, [counted.taskId])));
  throw refused.reason;
}

function limitsOf(account: string, limits: OwnerLimits): OwnerLimits {
  if (!isAddressAccount(account)) return limits;
  const { concurrentTasks, tasksPerMinute, historyBytes } = limits;
  return { concurrentTasks: OWNERS_PER_ADDRESS * concurrentTasks, tasksPerMinute: OWNERS_PER_ADDRESS * tasksPerMinute, historyBytes };
}

async function register(
  { backend: { index, events }, writer, limits: ofOwners }: TaskRegistration,
  registration: Registration,
): Promise<void> {
  const limits = limitsOf(registration.owner, ofOwners);
  let answer = await index.register(registration, limits);
  if (answer.verdict === 'too-many-tasks' || answer.verdict === 'too-many-bytes') {
    await reconcile({ index, events }, writer, registration.owner);
    answer = await index.register(registration, limits);
  }
  const { concurrentTasks, tasksPerMinute, historyBytes } = limits;
  if (answer.verdict === 'too-many-tasks')
    throw new TaskError('TOO_MANY_TASKS', `At most ${concurrentTasks} tasks may be unfinished at the same time.`, {
      limit: concurrentTasks,
    });
  if (answer.verdict === 'too-many-bytes')
    throw new TaskError(
      'TOO_MANY_BYTES',
      `The histories of all your tasks may take at most ${historyBytes} bytes; try again when some have expired.`,
      {
        limit: historyBytes,
      },
    );
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
  for (const view of views) if (view?.endedAt !== undefined) await writer.retire(view);
}
