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

/** All that the body of a POST asks of the caller's token: each of several messages asks for its own. */
export type ScopesOfBody = (body: unknown) => readonly string[];

/** A stream of notifications, which a GET opens or takes up again, and a request of the newer protocol version. */
export const LISTEN: MethodName = 'subscriptions/listen';

/** Whoever is refused is told what so many tasks need, and is told of the others later. */
const MAX_NAMED_TASKS = 16;

/** The method that a tool stands for, by the name of the tool. */
const METHODS_BY_STAND_IN: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<MethodTraits>(METHODS).flatMap(([method, { standIns = [] }]) => standIns.map((tool) => [tool, [method]] as const)),
);

/** @param features those of all protocol versions */
export function createRequestScopes(features: FeatureRegistry, { required, methods }: ScopeSettings) {
  const ofMethod = (method: string): readonly string[] => (Object.hasOwn(methods, method) ? (methods[method] ?? []) : []);
  const ofTool = (name: unknown): readonly string[] => {
    if (typeof name !== 'string') return [];
    const tool = features.tool(name);
    return tool?.scopes ?? METHODS_BY_STAND_IN.get(name)?.flatMap(ofMethod) ?? [];
  };
  const ofPrompt = (name: unknown): readonly string[] => (typeof name === 'string' ? (features.prompt(name)?.scopes ?? []) : []);
  const ofUri = (uri: unknown): readonly string[] => {
    // What is longer is refused by its method, and is not matched with templates here.
    if (typeof uri !== 'string' || Buffer.byteLength(uri) > FIELD_LIMITS.uriBytes) return [];
    const found = features.findResource(uri);
    return found === undefined ? [] : 'resource' in found ? found.resource.scopes : found.template.scopes;
  };
  const ofReference = (ref: unknown): readonly string[] => {
    if (!isJsonObject(ref)) return [];
    const { name, uri } = ref;
    if (ref['type'] === 'ref/prompt') return ofPrompt(name);
    return typeof uri === 'string' ? (features.resourceTemplate(uri)?.scopes ?? ofUri(uri)) : [];
  };
  const ofSubscriptions = (notifications: unknown): readonly string[] => {
    const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
    // More than so many are refused by the method.
    return Array.isArray(uris) && uris.length <= FIELD_LIMITS.subscriptions ? uris.flatMap(ofUri) : [];
  };
  const ofSubject = (method: string, params: Readonly<Record<string, unknown>>): readonly string[] => {
    switch (method) {
      case 'tools/call':
        return ofTool(params['name']);
      case 'prompts/get':
        return ofPrompt(params['name']);
      case 'resources/read':
      case 'resources/subscribe':
        return ofUri(params['uri']);
      case 'completion/complete':
        return ofReference(params['ref']);
      case LISTEN:
        return ofSubscriptions(params['notifications']);
      default:
        return [];
    }
  };
  const ofMessage = (message: unknown): readonly string[] => {
    if (!isJsonObject(message) || typeof message['method'] !== 'string') return [];
    const { method, params } = message;
    return [...ofMethod(method), ...ofSubject(method, isJsonObject(params) ? params : {})];
  };
  const tasksOf = (message: unknown): readonly string[] => {
    if (!isJsonObject(message) || !isJsonObject(message['params'])) return [];
    const { taskId, notifications, arguments: args } = message['params'];
    const listened = isJsonObject(notifications) ? notifications['taskIds'] : undefined;
    const named: readonly unknown[] = [
      taskId,
      isJsonObject(args) ? args['taskId'] : undefined,
      ...(Array.isArray(listened) ? listened : []),
    ];
    return named.filter((id): id is string => typeof id === 'string' && isTaskId(id)).slice(0, MAX_NAMED_TASKS);
  };
  return {
    /** The tasks that the body of a POST names, or the first of many, whose tools may need more. */
    tasksOf: (body: unknown): readonly string[] => (Array.isArray(body) ? body.flatMap(tasksOf) : tasksOf(body)).slice(0, MAX_NAMED_TASKS),
    ofBody: ((body) => [...new Set([...required, ...(Array.isArray(body) ? body.flatMap(ofMessage) : ofMessage(body))])]) as ScopesOfBody,
    /** Of a stream that a GET opens or takes up again. */
    ofListening: [...new Set([...required, ...ofMethod(LISTEN)])] as readonly string[],
    /** Of every request, whatever it is about. */
    ofAll: required,
  };
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
