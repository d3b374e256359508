/** Messages that are right as they are: what mutations start from. */
import { envelope, type World } from './world.js';

/** The message, for a world and a number that chooses among its values. */
export type MessageOf = (
  world: World,
  n: number,
) => { readonly method?: string; readonly params?: Record<string, unknown>; readonly [member: string]: unknown };

const pick = <T>(items: readonly T[], n: number): T | undefined => items[n % items.length];
const plain =
  (method: string, params?: Record<string, unknown>): MessageOf =>
  () => ({ method, ...(params && { params }) });
const ofTask =
  (method: string): MessageOf =>
  ({ tasks }, n) => ({ method, params: { taskId: pick(tasks, n) } });
const paged =
  (method: string): MessageOf =>
  ({ cursors }, n) => ({ method, params: n % 3 === 0 ? {} : { cursor: pick(cursors, n) } });
const call = (name: string, args: object, more: object = {}): MessageOf => plain('tools/call', { name, arguments: args, ...more });

const SHARED: readonly MessageOf[] = [
  ...['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'].map(paged),
  plain('prompts/get', { name: 'greeting', arguments: { who: 'Ann', how: 'shortly' } }),
  plain('resources/read', { uri: 'fuzz://text' }),
  plain('resources/read', { uri: 'fuzz://bytes' }),
  plain('resources/read', { uri: 'fuzz://item/7/a/b' }),
  plain('completion/complete', { ref: { type: 'ref/prompt', name: 'greeting' }, argument: { name: 'who', value: 'An' } }),
  plain('completion/complete', {
    ref: { type: 'ref/resource', uri: 'fuzz://item/{id}/{+rest}' },
    argument: { name: 'id', value: '1' },
    context: { arguments: { rest: 'x' } },
  }),
  call('echo', { message: 'hello' }),
  call('add', { a: 1, b: 2 }),
  call('talk', { words: ['a', 'b'] }, { _meta: { progressToken: 'p' } }),
  call('later', { a: 1 }),
  call('get-tiny-image', {}),
  call('no such tool', {}),
];

const ANSWERS: readonly MessageOf[] = [
  ({ tasks }, n) => ({ id: `t|${pick(tasks, n)}|$elicit`, result: { action: 'accept', content: { name: 'Ann' } } }),
  (_world, n) => ({ id: n, error: { code: -32_601, message: 'Method not found' } }),
];

/** Messages of sessions. */
export const SESSION_MESSAGES: readonly MessageOf[] = [
  ...SHARED,
  plain('ping'),
  plain('logging/setLevel', { level: 'debug' }),
  plain('resources/subscribe', { uri: 'fuzz://text' }),
  plain('resources/unsubscribe', { uri: 'fuzz://text' }),
  plain('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
  ...['tasks/get', 'tasks/get', 'tasks/cancel'].map(ofTask),
  ({ tasks }, n) => ({ method: 'tasks/result', params: { taskId: tasks[n % 2] } }),
  paged('tasks/list'),
  call('later', { a: 1 }, { task: { ttl: 60_000 } }),
  call('always-later', { a: 1 }, { task: {}, _meta: { 'longhaul/idempotencyKey': 'k' } }),
  plain('notifications/initialized'),
  (_world, n) => ({ method: 'notifications/cancelled', params: { requestId: n, reason: 'test' } }),
  plain('notifications/roots/list_changed'),
  (_world, n) => ({ method: 'notifications/progress', params: { progressToken: n, progress: 1 } }),
  ...ANSWERS,
];

/** Messages that have their client wait, or end its session: few, because each takes long. */
export const SLOW_SESSION_MESSAGES: readonly MessageOf[] = [
  call('ask-inline', {}),
  call('ask-later', {}, { task: {} }),
  ({ tasks }) => ({ method: 'tasks/result', params: { taskId: tasks[2] } }),
  plain('shutdown'),
  plain('exit'),
];

const answered =
  (name: string): MessageOf =>
  ({ requestStates }, n) => ({
    method: 'tools/call',
    params: {
      name,
      arguments: {},
      requestState: pick(requestStates, n),
      inputResponses: { elicit: { action: 'accept', content: { name: 'Ann' } } },
    },
  });
const ofModernTask =
  (method: string, more: object = {}): MessageOf =>
  ({ modernTasks }, n) => ({ method, params: { taskId: pick(modernTasks, n), ...more } });

const MODERN_CORES: readonly MessageOf[] = [
  ...SHARED,
  plain('server/discover'),
  ...['tasks/get', 'tasks/get', 'tasks/cancel'].map((method) => ofModernTask(method)),
  ofModernTask('tasks/update', { inputResponses: { $elicit: { action: 'accept', content: { name: 'Ann' } } } }),
  call('always-later', { a: 1 }),
  call('ask-inline', {}),
  call('ask-later', {}),
  answered('ask-inline'),
  answered('ask-later'),
  ({ modernTasks }, n) => ({ method: 'tools/call', params: { name: 'task_status', arguments: { taskId: pick(modernTasks, n) } } }),
  ({ modernTasks }, n) => ({ method: 'tools/call', params: { name: 'task_result', arguments: { taskId: pick(modernTasks, n) } } }),
  (_world, n) => ({ method: 'notifications/cancelled', params: { requestId: n } }),
  plain('initialize', { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'x', version: '1' } }),
  plain('ping'),
];

/** Messages of 2026-07-28; the number also chooses whether the client knows tasks. */
export const MODERN_MESSAGES: readonly MessageOf[] = MODERN_CORES.map((messageOf): MessageOf => (world, n) => {
  const { params = {}, ...message } = messageOf(world, n);
  const { _meta, ...others } = params;
  return { ...message, params: { ...others, _meta: { ...(_meta as object | undefined), ...envelope(n % 4 !== 0) } } };
});

/** Messages of 2026-07-28 that open a stream. */
export const LISTEN_MESSAGES: readonly MessageOf[] = [
  ({ modernTasks }, n) => ({
    method: 'subscriptions/listen',
    params: {
      notifications: {
        taskIds: modernTasks.slice(n % 3),
        ...(n % 2 === 0 && { toolsListChanged: true, resourceSubscriptions: ['fuzz://text'] }),
      },
      _meta: envelope(n % 5 !== 0),
    },
  }),
];
