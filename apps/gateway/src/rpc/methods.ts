/**
 * Lists the methods of all protocol versions, with their traits that are known without running them. This is the only list of them: other
 * code derives from it which requests may be repeated, which headers repeat members, which methods are multi-round-trip, which results may
 * be kept, and which methods are served, here and on standard input. So this file imports nothing.
 */

/** How long clients may keep a result that does not depend on the caller, milliseconds; a notification follows when it changes. */
const LISTED_MS = 60_000;

/** The kinds of named features: each kind has its own scopes. */
export type FeatureKind = 'tool' | 'prompt' | 'resource' | 'reference' | 'notifications';

/** The traits of a method. */
export interface MethodTraits {
  /** The member of its params that names features, and their kind; the caller needs the scopes of these features. */
  readonly about: { readonly param: string; readonly is: FeatureKind } | 'tasks' | 'nothing';
  /** The capability that a server must declare to serve it, as a path. Absent: it is always served. */
  readonly capability?: 'prompts' | 'resources' | 'resources.subscribe' | 'completions' | 'logging' | 'tasks.list';
  /** The member of its params that names its subject; the header `Mcp-Name` of revision 2026-07-28 repeats it. */
  readonly subject?: 'name' | 'uri' | 'taskId';
  /** Whether the code that it runs may ask the client. */
  readonly mayAsk?: boolean;
  /** How long a client may keep its result, milliseconds; 0: the client decides. Absent: a result must not be kept. */
  readonly keptMs?: number;
  /** Whether it may run twice without harm, so that a request may be repeated when its gateway has died. */
  readonly isRepeatable?: boolean;
  /** The gateway's own tools that are called instead of it. */
  readonly standIns?: readonly string[];
  /** Whether it opens a stream of notifications that lasts until its answer. */
  readonly isSubscription?: boolean;
}

/** Every method that a client may call, in some protocol version. */
export const METHODS = {
  initialize: { about: 'nothing', isRepeatable: true },
  ping: { about: 'nothing', isRepeatable: true },
  shutdown: { about: 'nothing', isRepeatable: true },
  'server/discover': { about: 'nothing', keptMs: LISTED_MS, isRepeatable: true },
  'tools/list': { about: 'nothing', keptMs: LISTED_MS, isRepeatable: true },
  'tools/call': { about: { param: 'name', is: 'tool' }, subject: 'name', mayAsk: true },
  'prompts/list': { about: 'nothing', capability: 'prompts', keptMs: LISTED_MS, isRepeatable: true },
  'prompts/get': { about: { param: 'name', is: 'prompt' }, capability: 'prompts', subject: 'name', mayAsk: true, isRepeatable: true },
  'resources/list': { about: 'nothing', capability: 'resources', keptMs: 0, isRepeatable: true },
  'resources/templates/list': { about: 'nothing', capability: 'resources', keptMs: LISTED_MS, isRepeatable: true },
  'resources/read': {
    about: { param: 'uri', is: 'resource' },
    capability: 'resources',
    subject: 'uri',
    mayAsk: true,
    keptMs: 0,
    isRepeatable: true,
  },
  'resources/subscribe': { about: { param: 'uri', is: 'resource' }, capability: 'resources.subscribe', isRepeatable: true },
  'resources/unsubscribe': { about: 'nothing', capability: 'resources.subscribe', isRepeatable: true },
  'completion/complete': { about: { param: 'ref', is: 'reference' }, capability: 'completions', isRepeatable: true },
  'logging/setLevel': { about: 'nothing', capability: 'logging', isRepeatable: true },
  'subscriptions/listen': { about: { param: 'notifications', is: 'notifications' }, isRepeatable: true, isSubscription: true },
  'tasks/get': { about: 'tasks', subject: 'taskId', isRepeatable: true, standIns: ['task_status', 'task_result', 'task_view'] },
  'tasks/list': { about: 'tasks', capability: 'tasks.list', isRepeatable: true },
  'tasks/result': { about: 'tasks', isRepeatable: true },
  'tasks/update': { about: 'tasks', subject: 'taskId', standIns: ['task_answer'] },
  'tasks/cancel': { about: 'tasks', subject: 'taskId', standIns: ['task_cancel'] },
} as const satisfies Readonly<Record<string, MethodTraits>>;

export type MethodName = keyof typeof METHODS;

const BY_NAME: ReadonlyMap<string, MethodTraits> = new Map(Object.entries(METHODS));

/** @returns no traits for an unknown method name */
export function traitsOf(method: string): Partial<MethodTraits> {
  return BY_NAME.get(method) ?? {};
}

/** The name of a method in logs, spans and metrics. An unknown one is `_OTHER`, as in OpenTelemetry's conventions. */
export function shownMethod(method: string): string {
  return BY_NAME.has(method) ? method : '_OTHER';
}
