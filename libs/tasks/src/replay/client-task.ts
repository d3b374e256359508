/**
 * Runs bidirectional tasks: the client runs our request as a task of its own. They consist of recorded requests and timers, so between two
 * polls neither a worker nor a socket waits.
 */
import type { ClientInfo } from '../domain/events.js';
import { isJsonObject, type JsonObject } from '../domain/json.js';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';
import { FIELD_LIMITS, tooLong } from '../field-limits.js';
import { optionsOf, requireFunction } from '../given.js';
import type { PassRun } from './pass-run.js';
import type { ClientTaskOptions, ClientTaskRequest, ClientTaskResult, ClientTaskStatus } from './task-context.js';
import { askInput, askTimer, givenTime } from './waits.js';

const DEFAULT_TTL_MS = 300_000;
const DEFAULT_POLL_MS = 1_000;
const POLL_RANGE_MS = { least: 50, most: 60_000 };
const MEMBERS = ['ttlMs', 'maxPolls', 'onStatus'] as const;
const ENDED = new Set(['completed', 'failed', 'cancelled']);

/** Sends the request with `task` to a client that takes it, polls the client's task, and fetches its result. */
export async function askClientTask(
  run: PassRun,
  { capabilities }: ClientInfo,
  { method, params }: ClientTaskRequest,
  options: ClientTaskOptions | undefined,
): Promise<ClientTaskResult> {
  const { ttlMs = DEFAULT_TTL_MS, maxPolls = Number.POSITIVE_INFINITY, onStatus } = optionsOf('clientTask', options, MEMBERS);
  if (typeof maxPolls !== 'number' || !(maxPolls >= 0))
    throw new TaskError('INVALID_KEY', `clientTask: maxPolls must be a number from 0, and is ${shown(maxPolls)}.`);
  if (onStatus !== undefined) requireFunction('clientTask', 'onStatus', onStatus);
  const ttl = givenTime('clientTask: ttlMs', ttlMs);
  const key = run.keys.own('$client') as `$${string}`;
  const answer = await askInput<JsonObject>(run, `${key}-create`, method, {
    ...params,
    ...(takesTasks(capabilities, method) && { task: { ttl } }),
  });
  let task = statusOf(answer['task']);
  if (task === undefined) return { kind: 'immediate', result: answer };
  onStatus?.(task);
  const { taskId } = task;
  // It is recorded again with each poll.
  const problem = tooLong("The id of the client's task", taskId, FIELD_LIMITS.idBytes);
  if (problem !== undefined) throw new TaskError('INPUT_FAILED', `${problem}.`);
  for (let polls = 0; !ENDED.has(task.status); polls++) {
    if (polls >= maxPolls) return { kind: 'unfinished', task };
    await askTimer(run, run.keys.own(`${key}-wait`), pollMs(task.pollInterval));
    task = { ...task, ...statusOf(await askInput<JsonObject>(run, `${key}-get`, 'tasks/get', { taskId })) };
    onStatus?.(task);
  }
  if (task.status !== 'completed') return { kind: 'ended', task };
  return { kind: 'ended', task, result: await askInput<JsonObject>(run, `${key}-result`, 'tasks/result', { taskId }) };
}

/** Only what the client has declared may be asked of it as a task. */
function takesTasks({ tasks }: JsonObject, method: ClientTaskRequest['method']): boolean {
  const [feature = '', action = ''] = method.split('/');
  return (
    isJsonObject(tasks) &&
    isJsonObject(tasks['requests']) &&
    isJsonObject(tasks['requests'][feature]) &&
    action in tasks['requests'][feature]
  );
}

function statusOf(value: unknown): ClientTaskStatus | undefined {
  if (typeof value !== 'object' || value === null || !('taskId' in value) || !('status' in value)) return undefined;
  return value as ClientTaskStatus;
}

/** @param asked as it came from the client */
function pollMs(asked: unknown): number {
  return Math.min(Math.max(typeof asked === 'number' ? asked : DEFAULT_POLL_MS, POLL_RANGE_MS.least), POLL_RANGE_MS.most);
}
