import type { Json } from '@longhaul/tasks';
import { authErrorIn, CredentialsExpired } from '../auth/auth-errors.js';
import type { ServerConfig } from '../config/server-config.js';
import type { CallRecord } from './call-try.js';
import { PassConnections, type PassPool } from './pass-connections.js';
import { cancelTask, type LookRecord } from './task-look.js';

/**
 * Asks the servers to cancel the tasks that a run has left behind, if they have not ended as far as the run knew.
 *
 * @param steps the recorded values of the run
 * @param pool where connections come from; absent: each is opened for this
 * @throws AggregateError when one of them cannot be cancelled now
 */
export async function cancelRemoteTasks(
  steps: ReadonlyMap<string, Json>,
  servers: ReadonlyMap<string, ServerConfig>,
  pool?: PassPool,
): Promise<void> {
  const leftBehind = leftBehindIn(steps).filter(({ server }) => servers.has(server));
  if (leftBehind.length === 0) return;
  const connections = new PassConnections({
    servers,
    asks: {},
    signal: new AbortController().signal,
    pool,
  });
  try {
    const outcomes = await Promise.allSettled(leftBehind.map(({ server, task }) => cancelTask(connections, server, task)));
    // A task of a server that asks for a token of the caller can only be cancelled for the caller.
    const failures = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' && !(authErrorIn(outcome.reason) instanceof CredentialsExpired) ? [outcome.reason as unknown] : [],
    );
    if (failures.length > 0)
      throw new AggregateError(failures, `Tasks of other servers could not be cancelled: ${failures.map(String).join('; ')}`);
  } finally {
    await connections.close();
  }
}

type TaskRecord = Extract<CallRecord, { task: unknown }>;

function leftBehindIn(steps: ReadonlyMap<string, Json>): readonly TaskRecord[] {
  const tasks = new Map<string, TaskRecord>();
  for (const [key, value] of steps) {
    const [, what, number = ''] = /^(call|look at) (\d+)(?::\d+)?$/.exec(key) ?? [];
    const call = value as unknown as CallRecord;
    if (what === 'call' && 'task' in call) tasks.set(number, call);
    const look = value as unknown as LookRecord;
    if (what === 'look at' && ('result' in look || 'failure' in look)) tasks.delete(number);
  }
  return [...tasks.values()];
}
