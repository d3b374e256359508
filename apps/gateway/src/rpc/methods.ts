/**
 * The methods of all protocol versions, and what is known of each without running it. This is the only list of them: what may be
 * sent again, what headers repeat, what is run in rounds, what may be kept and what is served is derived from it, here and
 * on standard input. So this file imports nothing.
 */

/** How long clients may keep what does not depend on who asks, milliseconds; a notification says when it changes. */
const LISTED_MS = 60_000;

/** What features can be named as: each asks for scopes of its own. */
export type FeatureKind = 'tool' | 'prompt' | 'resource' | 'reference' | 'notifications';

/** What is known of a method. */
export interface MethodTraits {
  /** The member of its params that names features, and what that names; the scopes of these are asked of its caller. */
  readonly about: { readonly param: string; readonly is: FeatureKind } | 'tasks' | 'nothing';
  /** What a server has to declare to serve it, as a path. It is always served where absent. */
  readonly capability?: 'prompts' | 'resources' | 'resources.subscribe' | 'completions' | 'logging' | 'tasks.list';
  /** The member of its params that names what it is about; the header `Mcp-Name` of revision 2026-07-28 repeats it. */
  readonly subject?: 'name' | 'uri' | 'taskId';
  /** Whether what it runs may ask the client. */
  readonly mayAsk?: boolean;
  /** How long a client may keep its result, milliseconds; 0: as long as it likes to. Absent where a result is not to be kept. */
  readonly keptMs?: number;
  /** Whether it may run twice without harm, so that a request whose gateway has died may be sent again. */
  readonly isRepeatable?: boolean;
  /** The gateway's own tools that are called in its place. */
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

/** @returns no traits for a text that is the name of no method */
export function traitsOf(method: string): Partial<MethodTraits> {
  return BY_NAME.get(method) ?? {};
}

/** A method as logs, spans and metrics name it. One that only its client knows is `_OTHER`, as in OpenTelemetry's conventions. */
export function shownMethod(method: string): string {
  return BY_NAME.has(method) ? method : '_OTHER';
}
