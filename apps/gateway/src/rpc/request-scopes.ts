/**
 * Which scopes a request needs, of either protocol version: those of every request, those of its method, and those of the feature
 * that it is about. This is asked at one place, before a session is opened, a task is created or a stream begins; what belongs to
 * the task that a request is about is asked where the task is read (`scopedTasks`), and is named by a refusal here as well.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { FIELD_LIMITS, isJsonObject, isTaskId } from '@longhaul/tasks';
import { type FeatureKind, type MethodName, METHODS, type MethodTraits, traitsOf } from './methods.js';

/** What is asked of tokens by the configuration. */
export interface ScopeSettings {
  /** Of every request. */
  readonly required: readonly string[];
  /** Of the requests of a method, by its name. */
  readonly methods: Readonly<Partial<Record<string, readonly string[]>>>;
  /** What a scope includes, by its name: who has it has those too. */
  readonly includes: Readonly<Partial<Record<string, readonly string[]>>>;
}

export const NO_SCOPES: ScopeSettings = { required: [], methods: {}, includes: {} };

/** A stream of notifications, which a GET opens or takes up again, and a request of the newer protocol version. */
const LISTEN: MethodName = 'subscriptions/listen';

/** Reads a task and how it ended. */
const READ: MethodName = 'tasks/get';

/** A refusal names the scopes of at most so many tasks; the next one names those of the others. */
const MAX_NAMED_TASKS = 16;

/** The method that a tool stands for, by the name of the tool. */
const METHODS_BY_STAND_IN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MethodTraits>(METHODS).flatMap(([method, { standIns = [] }]) => standIns.map((tool) => [tool, [method]] as const)),
);

/** Answers what the server has asked. Older protocol versions do that by responses. */
const ANSWER: MethodName = 'tasks/update';

/** What a method needs, beside what every request does. */
export function scopesOfMethod({ methods }: Pick<ScopeSettings, 'methods'>, method: string): readonly string[] {
  return Object.hasOwn(methods, method) ? (methods[method] ?? []) : [];
}

type ScopesOf = (subject: unknown) => readonly string[];

/** What features need, by what requests name them by: anything that came out of `JSON.parse`. */
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
    // What is longer is refused by its method, and is not matched with templates here.
    if (typeof text !== 'string' || Buffer.byteLength(text) > FIELD_LIMITS.uriBytes) return [];
    const found = features.findResource(text);
    return found === undefined ? [] : 'resource' in found ? found.resource.scopes : found.template.scopes;
  };
  const reference: ScopesOf = (ref) => {
    if (!isJsonObject(ref)) return [];
    if (ref['type'] === 'ref/prompt') return prompt(ref['name']);
    return typeof ref['uri'] === 'string' ? (features.resourceTemplate(ref['uri'])?.scopes ?? resource(ref['uri'])) : [];
  };
  const notifications: ScopesOf = (wanted) => {
    const { resourceSubscriptions: uris, taskIds } = isJsonObject(wanted) ? wanted : {};
    // More than so many are refused by the method.
    const ofResources = Array.isArray(uris) && uris.length <= FIELD_LIMITS.subscriptions ? uris.flatMap(resource) : [];
    // Who listens to a task reads it.
    return Array.isArray(taskIds) && taskIds.length > 0 ? [...ofResources, ...ofMethod(READ)] : ofResources;
  };
  return { tool, prompt, resource, reference, notifications };
}

/** @param features those that answer the requests: a URI may be that of another one where some are left out */
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
    // Whatever is called, it goes on with the answers.
    const isAnswer = isJsonObject(inputResponses) && Object.keys(inputResponses).length > 0;
    return [...ofMethod(method), ...ofSubject, ...(isAnswer ? ofAnswering : [])];
  };
  const ofBody: ScopesOf = (body) => [...new Set([...required, ...(Array.isArray(body) ? body.flatMap(ofMessage) : ofMessage(body))])];
  return {
    /** Of a POST: each of several messages asks for its own. */
    ofBody,
    /** Of a stream that a GET opens or takes up again. */
    ofListening: [...new Set([...required, ...ofMethod(LISTEN)])] as readonly string[],
    /** Of every request. */
    ofAll: required,
  };
}

/** The tasks that the body of a POST names, or the first of many: their tools may need more. */
export function tasksNamedIn(body: unknown): readonly string[] {
  return (Array.isArray(body) ? body.flatMap(tasksOfMessage) : tasksOfMessage(body)).slice(0, MAX_NAMED_TASKS);
}

function tasksOfMessage(message: unknown): readonly string[] {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return [];
  const { taskId, notifications, arguments: args } = message['params'];
  const listened = isJsonObject(notifications) ? notifications['taskIds'] : undefined;
  const named: readonly unknown[] = [taskId, isJsonObject(args) ? args['taskId'] : undefined, ...(Array.isArray(listened) ? listened : [])];
  return named.filter((id): id is string => typeof id === 'string' && isTaskId(id)).slice(0, MAX_NAMED_TASKS);
}

/** Which scopes requests need. */
export type RequestScopes = ReturnType<typeof createRequestScopes>;

/** What somebody has, and what that includes, and what that includes. */
export function withIncluded(scopes: readonly string[], { includes }: Pick<ScopeSettings, 'includes'>): readonly string[] {
  const all = new Set(scopes);
  // A set is gone through with what is added on the way.
  for (const scope of all) for (const included of (Object.hasOwn(includes, scope) && includes[scope]) || []) all.add(included);
  return [...all];
}

/** All that any request could need, each once. */
export function knownScopes({ features }: FeatureRegistry, { required, methods }: ScopeSettings): readonly string[] {
  const ofMethods = Object.values(methods).flatMap((scopes) => scopes ?? []);
  return [...new Set([...required, ...ofMethods, ...features.flatMap(({ scopes }) => scopes)])];
}
