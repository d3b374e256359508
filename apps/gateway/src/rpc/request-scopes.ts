/**
 * Determines which scopes a request needs, in both protocol versions: the scopes of every request, of its method, and of the feature that
 * it names. They are checked in one place, before a session is opened, a task is created or a stream begins. The scopes of the request's
 * task are checked where the task is read (`scopedTasks`), and a refusal here names them as well.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { FIELD_LIMITS, isJsonObject, isTaskId } from '@longhaul/tasks';
import { type FeatureKind, type MethodName, METHODS, type MethodTraits, traitsOf } from './methods.js';

/** The configured scopes. */
export interface ScopeSettings {
  /** For every request. */
  readonly required: readonly string[];
  /** For the requests of a method, by its name. */
  readonly methods: Readonly<Partial<Record<string, readonly string[]>>>;
  /** The scopes that a scope includes, by its name: a token with the scope has those too. */
  readonly includes: Readonly<Partial<Record<string, readonly string[]>>>;
}

export const NO_SCOPES: ScopeSettings = { required: [], methods: {}, includes: {} };

/** A stream of notifications, which a GET opens or resumes, and a request of the newer protocol version. */
const LISTEN: MethodName = 'subscriptions/listen';

/** Reads a task and how it ended. */
const READ: MethodName = 'tasks/get';

/** The result of a task, or a part of it, as a resource: to read it means reading the task. */
const RESULT_URI = /^longhaul:\/\/tasks\/([^/]+)\/result(?:\/|$)/;

/** A refusal names the scopes of at most this many tasks; the next one names the scopes of the others. */
const MAX_NAMED_TASKS = 16;

/** The method that a tool replaces, by the name of the tool. */
const METHODS_BY_STAND_IN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MethodTraits>(METHODS).flatMap(([method, { standIns = [] }]) => standIns.map((tool) => [tool, [method]] as const)),
);

/** Answers a question of the server. In older protocol versions, responses do that. */
const ANSWER: MethodName = 'tasks/update';

/** The scopes of a method, in addition to the scopes of every request. */
export function scopesOfMethod({ methods }: Pick<ScopeSettings, 'methods'>, method: string): readonly string[] {
  return Object.hasOwn(methods, method) ? (methods[method] ?? []) : [];
}

type ScopesOf = (subject: unknown) => readonly string[];

/** The scopes of features, by their names in requests: any value from `JSON.parse`. */
function scopesOfFeatures(
  features: FeatureRegistry,
  ofMethod: (method: string) => readonly string[],
): Readonly<Record<FeatureKind, ScopesOf>> {
  const tool: ScopesOf = (name) => {
    if (typeof name !== 'string') return [];
    return features.tool(name)?.scopes ?? METHODS_BY_STAND_IN.get(name)?.flatMap(ofMethod) ?? [];
  };
  const prompt: ScopesOf = (name) => (typeof name === 'string' ? (features.prompt(name)?.scopes ?? []) : []);
  const resource: ScopesOf = (text) => {
    // A longer text is refused by its method, and is not compared with templates here.
    if (typeof text !== 'string' || Buffer.byteLength(text) > FIELD_LIMITS.uriBytes) return [];
    const found = features.findResource(text);
    const ofResult = RESULT_URI.test(text) ? ofMethod(READ) : [];
    return found === undefined ? ofResult : [...ofResult, ...('resource' in found ? found.resource : found.template).scopes];
  };
  const reference: ScopesOf = (ref) => {
    if (!isJsonObject(ref)) return [];
    if (ref['type'] === 'ref/prompt') return prompt(ref['name']);
    return typeof ref['uri'] === 'string' ? (features.resourceTemplate(ref['uri'])?.scopes ?? resource(ref['uri'])) : [];
  };
  const notifications: ScopesOf = (wanted) => {
    const { resourceSubscriptions: uris, taskIds } = isJsonObject(wanted) ? wanted : {};
    // The method refuses more than this many.
    const ofResources = Array.isArray(uris) && uris.length <= FIELD_LIMITS.subscriptions ? uris.flatMap(resource) : [];
    // Listening to a task means reading it.
    return Array.isArray(taskIds) && taskIds.length > 0 ? [...ofResources, ...ofMethod(READ)] : ofResources;
  };
  return { tool, prompt, resource, reference, notifications };
}

/** @param features that answer the requests: if some are left out, a URI may belong to another one */
export function createRequestScopes(features: FeatureRegistry, settings: ScopeSettings) {
  const { required } = settings;
  const ofMethod = (method: string): readonly string[] => scopesOfMethod(settings, method);
  const ofAnswering = ofMethod(ANSWER);
  const scopesOf = scopesOfFeatures(features, ofMethod);
  const ofMessage: ScopesOf = (message) => {
    if (!isJsonObject(message)) return [];
    if (typeof message['method'] !== 'string') return 'result' in message || 'error' in message ? ofAnswering : [];
    const { method, params } = message;
    const { about } = traitsOf(method);
    if (!isJsonObject(params)) return ofMethod(method);
    const ofSubject = typeof about === 'object' ? scopesOf[about.is](params[about.param]) : [];
    const { inputResponses } = params;
    // For any called method, a request with answers also needs the scopes for answering.
    const isAnswer = isJsonObject(inputResponses) && Object.keys(inputResponses).length > 0;
    return [...ofMethod(method), ...ofSubject, ...(isAnswer ? ofAnswering : [])];
  };
  const ofBody: ScopesOf = (body) => [...new Set([...required, ...(Array.isArray(body) ? body.flatMap(ofMessage) : ofMessage(body))])];
  return {
    /** For a POST: each of several messages adds its own. */
    ofBody,
    /** For a stream that a GET opens or resumes. */
    ofListening: [...new Set([...required, ...ofMethod(LISTEN)])] as readonly string[],
    /** For every request. */
    ofAll: required,
  };
}

/** The tasks in the body of a POST; in a batch, the first ones: their tools may need more scopes. */
export function tasksNamedIn(body: unknown): readonly string[] {
  return (Array.isArray(body) ? body.flatMap(tasksOfMessage) : tasksOfMessage(body)).slice(0, MAX_NAMED_TASKS);
}

function tasksOfMessage(message: unknown): readonly string[] {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return [];
  const { taskId, notifications, arguments: args, uri } = message['params'];
  const [, ofResult] = (typeof uri === 'string' && RESULT_URI.exec(uri)) || [];
  const listened = isJsonObject(notifications) ? notifications['taskIds'] : undefined;
  const named: readonly unknown[] = [
    taskId,
    ofResult,
    isJsonObject(args) ? args['taskId'] : undefined,
    ...(Array.isArray(listened) ? listened : []),
  ];
  return named.filter((id): id is string => typeof id === 'string' && isTaskId(id)).slice(0, MAX_NAMED_TASKS);
}

/** Which scopes requests need. */
export type RequestScopes = ReturnType<typeof createRequestScopes>;

/** The scopes of a token, with all directly and indirectly included scopes. */
export function withIncluded(scopes: readonly string[], { includes }: Pick<ScopeSettings, 'includes'>): readonly string[] {
  const all = new Set(scopes);
  // The loop over a set also visits the elements that are added during it.
  for (const scope of all) for (const included of (Object.hasOwn(includes, scope) && includes[scope]) || []) all.add(included);
  return [...all];
}

/** All scopes that any request could need, each once. */
export function knownScopes({ features }: FeatureRegistry, { required, methods }: ScopeSettings): readonly string[] {
  const ofMethods = Object.values(methods).flatMap((scopes) => scopes ?? []);
  return [...new Set([...required, ...ofMethods, ...features.flatMap(({ scopes }) => scopes)])];
}
