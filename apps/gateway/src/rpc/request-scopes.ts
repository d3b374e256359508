/**
 * Which scopes a request needs, of either protocol version: those of every request, those of its method, and those of the feature
 * that it is about. This is asked at one place, before a session is opened, a task is created or a stream begins; what belongs to
 * the task that a request is about is asked where the task is read (`scopedTasks`), and is named by a refusal here as well.
 */
import type { FeatureRegistry } from '@longhaul/mcp-features';
import { FIELD_LIMITS, isJsonObject, isTaskId } from '@longhaul/tasks';
import { type MethodName, METHODS, type MethodTraits } from './methods.js';

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

const CALL: MethodName = 'tools/call';
/** A refusal names the scopes of at most so many tasks; the next one names those of the others. */
const MAX_NAMED_TASKS = 16;

/** The method that a tool stands for, by the name of the tool. */
const METHODS_BY_STAND_IN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MethodTraits>(METHODS).flatMap(([method, { standIns = [] }]) => standIns.map((tool) => [tool, [method]] as const)),
);

/** Answers what the server has asked. Older protocol versions do that by responses. */
const ANSWER: MethodName = 'tasks/update';

type ScopesOf = (subject: unknown) => readonly string[];

/** What features need, by what requests name them by: anything that came out of `JSON.parse`. */
function scopesOfFeatures(features: FeatureRegistry, ofMethod: (method: string) => readonly string[]) {
  const tool: ScopesOf = (name) => {
    if (typeof name !== 'string') return [];
    return features.tool(name)?.scopes ?? METHODS_BY_STAND_IN.get(name)?.flatMap(ofMethod) ?? [];
  };
  const prompt: ScopesOf = (name) => (typeof name === 'string' ? (features.prompt(name)?.scopes ?? []) : []);
  const uri: ScopesOf = (text) => {
    // What is longer is refused by its method, and is not matched with templates here.
    if (typeof text !== 'string' || Buffer.byteLength(text) > FIELD_LIMITS.uriBytes) return [];
    const found = features.findResource(text);
    return found === undefined ? [] : 'resource' in found ? found.resource.scopes : found.template.scopes;
  };
  const reference: ScopesOf = (ref) => {
    if (!isJsonObject(ref)) return [];
    if (ref['type'] === 'ref/prompt') return prompt(ref['name']);
    return typeof ref['uri'] === 'string' ? (features.resourceTemplate(ref['uri'])?.scopes ?? uri(ref['uri'])) : [];
  };
  const subscriptions: ScopesOf = (notifications) => {
    const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    // More than so many are refused by the method.
    return Array.isArray(uris) && uris.length <= FIELD_LIMITS.subscriptions ? uris.flatMap(uri) : [];
  };
  return { tool, prompt, uri, reference, subscriptions };
}

/** @param features those that answer the requests: a URI may be that of another one where some are left out */
export function createRequestScopes(features: FeatureRegistry, { required, methods }: ScopeSettings) {
  const ofMethod = (method: string): readonly string[] => (Object.hasOwn(methods, method) ? (methods[method] ?? []) : []);
  const ofAnswering = ofMethod(ANSWER);
  const { tool, prompt, uri, reference, subscriptions } = scopesOfFeatures(features, ofMethod);
  /** The member of the params by which a method names what it is about, and what that needs. */
  const subjects: ReadonlyMap<string, readonly [string, ScopesOf]> = new Map<MethodName, readonly [string, ScopesOf]>([
    [CALL, ['name', tool]],
    ['prompts/get', ['name', prompt]],
    ['resources/read', ['uri', uri]],
    ['resources/subscribe', ['uri', uri]],
    ['completion/complete', ['ref', reference]],
    [LISTEN, ['notifications', subscriptions]],
  ]);
  const isStandIn = (name: unknown): boolean =>
    typeof name === 'string' && METHODS_BY_STAND_IN.has(name) && features.tool(name) === undefined;
  const ofMessage: ScopesOf = (message) => {
    if (!isJsonObject(message)) return [];
    if (typeof message['method'] !== 'string') return 'result' in message || 'error' in message ? ofAnswering : [];
    const { method, params } = message;
    const [member, scopesOf] = subjects.get(method) ?? [];
    if (!isJsonObject(params)) return ofMethod(method);
    const ofSubject = member === undefined ? undefined : scopesOf?.(params[member]);
    // A tool that stands for a method goes on with a task of another call, and may answer it on the way.
    const isAnswer = method === CALL && 'inputResponses' in params && isStandIn(params['name']);
    return [...ofMethod(method), ...(ofSubject ?? []), ...(isAnswer ? ofAnswering : [])];
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
