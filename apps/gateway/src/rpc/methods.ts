/**
 * The methods of all protocol versions, and what is known of each without running it. This is the only list of them: what may be
 * sent again, what headers repeat, what is run in rounds, what may be kept and what is served is derived from it, here and
 * on standard input. So this file imports nothing.
 */

/** How long clients may keep what does not depend on who asks, milliseconds; a notification says when it changes. */
const LISTED_MS = 60_000;

/** What is known of a method. */
export interface MethodTraits {
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
  initialize: { isRepeatable: true },
  ping: { isRepeatable: true },
  shutdown: { isRepeatable: true },
  'server/discover': { keptMs: LISTED_MS, isRepeatable: true },
  'tools/list': { keptMs: LISTED_MS, isRepeatable: true },
  'tools/call': { subject: 'name', mayAsk: true },
  'prompts/list': { capability: 'prompts', keptMs: LISTED_MS, isRepeatable: true },
  'prompts/get': { capability: 'prompts', subject: 'name', mayAsk: true, isRepeatable: true },
  'resources/list': { capability: 'resources', keptMs: 0, isRepeatable: true },
  'resources/templates/list': { capability: 'resources', keptMs: LISTED_MS, isRepeatable: true },
  'resources/read': { capability: 'resources', subject: 'uri', mayAsk: true, keptMs: 0, isRepeatable: true },
  'resources/subscribe': { capability: 'resources.subscribe', isRepeatable: true },
  'resources/unsubscribe': { capability: 'resources.subscribe', isRepeatable: true },
  'completion/complete': { capability: 'completions', isRepeatable: true },
  'logging/setLevel': { capability: 'logging', isRepeatable: true },
  'subscriptions/listen': { isRepeatable: true, isSubscription: true },
  'tasks/get': { subject: 'taskId', isRepeatable: true, standIns: ['task_status', 'task_result', 'task_view'] },
  'tasks/list': { capability: 'tasks.list', isRepeatable: true },
  'tasks/result': { isRepeatable: true },
  'tasks/update': { subject: 'taskId', standIns: ['task_answer'] },
  'tasks/cancel': { subject: 'taskId', standIns: ['task_cancel'] },
} as const satisfies Readonly<Record<string, MethodTraits>>;

export type MethodName = keyof typeof METHODS;

const BY_NAME: ReadonlyMap<string, MethodTraits> = new Map(Object.entries(METHODS));

/** @returns no traits for a text that is the name of no method */
export function traitsOf(method: string): MethodTraits {
  return BY_NAME.get(method) ?? {};
}

/** A method as logs, spans and metrics name it. One that only its client knows is `_OTHER`, as in OpenTelemetry's conventions. */
export function shownMethod(method: string): string {
  return BY_NAME.has(method) ? method : '_OTHER';
}
