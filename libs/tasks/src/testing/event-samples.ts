/**
 * Has a sample event of each type, with all of its members, for generators, fixtures and tests of all events. A type or a member without a
 * sample does not compile.
 */
import type { TaskCreatedData, TaskEvent, TaskEventOf, TaskEventType } from '../domain/events.js';

/** The data of an event with each of its members. */
type Whole<T> = T extends object ? { readonly [K in keyof T]-?: Exclude<T[K], undefined> } : T;

const AT = 1_000;

const task: Whole<TaskCreatedData> = {
  tool: 'research',
  arguments: { topic: 'tides' },
  refused: 'The arguments do not fit.',
  owner: 'alice',
  auth: { subject: 'alice', issuer: 'https://login.example', tenant: 'acme', client: 'app', scopes: ['read'], claims: { mail: 'a@b.c' } },
  scopes: ['read'],
  accounts: ['alice'],
  recordOwner: { id: 'alice', account: 'account', idleMs: 1_000 },
  sessionId: 'session',
  client: { generation: '2025-11-25', protocolVersion: '2025-11-25', name: 'client', version: '1', capabilities: { elicitation: {} } },
  keptQuestions: ['sampling'],
  ttlMs: 60_000,
  pollIntervalMs: 1_000,
  maxRunMs: 3_600_000,
  budget: { cost: 1, tokens: 10_000 },
  priority: 3,
  searchable: ['topic'],
  searchKeys: ['digest-of-the-topic'],
  maxWaitMs: 1_800_000,
  implicit: true,
  progressToken: 'token',
  idempotencyKey: 'key',
  trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  traceState: 'vendor=value',
  baggage: 'user=alice',
  webhooks: [{ endpoint: '$call', url: 'https://hooks.example/alice', events: ['task.failed'], include: ['results'] }],
  forkedFrom: { taskId: 'origin', version: 3, firstTaskId: 'origin', stepKeysOf: 'origin', recordedBy: ['1.0.0'], by: 'operator:ada' },
  startedBy: 'operator',
  parent: { taskId: 'parent', key: '$call', bond: 'bound', rootTaskId: 'parent', path: ['research'] },
  imported: { taskId: 'origin', stepKeysOf: 'origin', at: AT, by: 'operator' },
};

const STACK = 'Error: It failed. (BROKEN)\n    at fetchAll (/tools/research.ts:12:5)';
const error = { name: 'Error', message: 'It failed.', code: 'BROKEN', data: { detail: 'of it' }, stack: STACK };
const thrown = { name: 'Error', code: 'BROKEN', step: 'fetch', stack: STACK };
const failure = { code: -32_603, message: 'It failed.', data: { reason: 'BROKEN' } };
const start = { startedAt: AT, startedAfter: 2 };
const large = { id: '1-a', bytes: 3_000_000, parts: 2 };
const progress = { progress: 1, total: 2, message: 'half of it' };

const DATA: { readonly [T in TaskEventType]: Whole<TaskEventOf<T>['data']> } = {
  TaskCreated: task,
  PassStarted: { pass: 1, epoch: 1, workerId: 'worker', attempt: 1, version: '1.0.0', trial: 'together' },
  StepStarted: { key: 'fetch', attempt: 1, ...start },
  StepCompleted: { key: 'fetch', value: { found: 'much' }, large, ...start },
  LargeValuesKept: {},
  StepFailed: { key: 'fetch', error, attempt: 1, retryAt: AT + 1_000, ...start },
  InputRequested: { key: '$elicit', method: 'elicitation/create', params: { message: 'Which one?' } },
  InputReceived: { key: '$elicit', answer: { response: { action: 'accept', content: { which: 'this' } } }, via: 'request' },
  AnswerRefused: { key: '$elicit', reason: 'It does not fit.', via: 'request' },
  TimerScheduled: { key: 'nap', dueAt: AT + 1_000 },
  TimerFired: { key: 'nap' },
  ChildStarted: { key: '$call', taskId: 'child', tool: 'lookup', bond: 'bound' },
  ChildDelayed: { key: '$call', reason: 'TOO_MANY_TASKS', retryAt: AT + 1_000 },
  ChildCreated: { key: '$call' },
  ChildDetached: { key: '$call', taskId: 'child' },
  ChildEnded: {
    key: '$call',
    outcome: { kind: 'result', result: { content: [{ type: 'text', text: 'found' }] }, large },
    taskId: 'child',
    spent: { cost: 0.5, tokens: 10 },
  },
  PassSuspended: { pass: 1, waitingFor: ['$elicit', 'nap'], patience: { open: 2, ms: 50 } },
  SignalSent: { seq: 1, name: 'approval', value: { decision: 'approve' }, bytes: 22, via: 'callback', id: 'digest' },
  SignalAwaited: { key: 'approval', names: ['approval'], dueAt: AT + 1_000, schema: { type: 'object' } },
  SignalReceived: { key: 'approval', seq: 1 },
  WaitWithdrawn: { key: 'approval', reason: 'It is too late.' },
  StatusReported: { message: 'It is under way.', seq: 1 },
  ProgressReported: { ...progress, seq: 1 },
  ValueExposed: { value: { page: 'first' }, seq: 1 },
  SpendingReported: { cost: 0.25, tokens: 1_200, step: 'charge', seq: 1 },
  NotificationSent: { method: 'notifications/message', params: { level: 'info', data: 'news' }, seq: 1 },
  PassFailed: { pass: 1, error, attempt: 1, retryAt: AT + 1_000 },
  TaskContinued: {
    version: 5,
    task,
    createdAt: AT - 500,
    pass: 1,
    epoch: 1,
    statusMessage: 'It goes on.',
    progress,
    progressAt: 3,
    exposed: { value: { page: 'first' } },
    spent: { cost: 0.25, tokens: 1_200 },
    notifiedAt: 4,
    detachedAt: AT,
    signals: { sent: 1, kept: [{ seq: 1, name: 'approval', value: 'approve', bytes: 9, via: 'callback' }], ids: ['digest'] },
  },
  TaskDetached: {
    because: 'abandoned',
    afterMs: 60_000,
    reason: 'Request timed out',
    how: 'cancelled',
    client: 'app 1.0',
    continuedBy: 'reason',
  },
  TaskCompleted: { result: { content: [{ type: 'text', text: 'done' }] }, large, thrown },
  TaskFailed: { error: failure, thrown },
  TaskCancelled: { reason: 'Not needed.', by: 'client' },
};

/** The sample of a type. */
export function sampleOf<T extends TaskEventType>(type: T): TaskEventOf<T> {
  return { type, at: AT, data: DATA[type] };
}

/** A sample of each type. */
export const EVENT_SAMPLES = (Object.keys(DATA) as TaskEventType[]).map((type) => sampleOf(type) as TaskEvent);
