import type { TaskCreatedData, TaskEvent } from './events.js';

/** Reads how the stream of a task begins. */
export interface Beginning {
  /** The data that the task was created with, or continued as new with. */
  readonly task: TaskCreatedData;
  /** The version of the event that says so. */
  readonly version: number;
}

/** @param first the first event of a stream. @returns nothing for any other event, or none */
export function beginningOf(first: TaskEvent | undefined): Beginning | undefined {
  if (first?.type === 'TaskCreated') return { task: first.data, version: 1 };
  return first?.type === 'TaskContinued' ? { task: first.data.task, version: first.data.version } : undefined;
}

/**
 * A recorded task without what it says of the caller that created it, its parent, its webhooks and its keys: the writer of a history could name anyone there,
 * and a task that is made of it would run in their name. Its records still belong to its owner, if they did before.
 */
export function withoutCaller(recorded: TaskCreatedData): TaskCreatedData {
  const {
    sessionId: _session,
    idempotencyKey: _key,
    auth: _auth,
    accounts: _accounts,
    webhooks: _webhooks,
    parent: _parent,
    // The keys of another deployment are other ones.
    searchKeys: _keys,
    recordOwner,
    ...task
  } = recorded;
  return { ...task, ...(recordOwner?.id === task.owner && { recordOwner }) };
}
