import { FIELD_LIMITS, isJsonObject, isTaskId } from '@longhaul/tasks';
import { METHODS } from './methods.js';
export const NO_SCOPES = { required: [], methods: {}, includes: {} };
/** A stream of notifications, which a GET opens or takes up again, and a request of the newer protocol version. */
const LISTEN = 'subscriptions/listen';
const CALL = 'tools/call';
/** A refusal names the scopes of at most so many tasks; the next one names those of the others. */
const MAX_NAMED_TASKS = 16;
/** The method that a tool stands for, by the name of the tool. */
const METHODS_BY_STAND_IN = new Map(Object.entries(METHODS).flatMap(([method, { standIns = [] }]) => standIns.map((tool) => [tool, [method]])));
/** Answers what the server has asked. Older protocol versions do that by responses. */
const ANSWER = 'tasks/update';
/** What features need, by what requests name them by: anything that came out of `JSON.parse`. */
function scopesOfFeatures(features, ofMethod) {
    const tool = (name) => {
        if (typeof name !== 'string')
            return [];
        return features.tool(name)?.scopes ?? METHODS_BY_STAND_IN.get(name)?.flatMap(ofMethod) ?? [];
    };
    const prompt = (name) => (typeof name === 'string' ? (features.prompt(name)?.scopes ?? []) : []);
    const uri = (text) => {
        // What is longer is refused by its method, and is not matched with templates here.
        if (typeof text !== 'string' || Buffer.byteLength(text) > FIELD_LIMITS.uriBytes)
            return [];
        const found = features.findResource(text);
        return found === undefined ? [] : 'resource' in found ? found.resource.scopes : found.template.scopes;
    };
    const reference = (ref) => {
        if (!isJsonObject(ref))
            return [];
        if (ref['type'] === 'ref/prompt')
            return prompt(ref['name']);
        return typeof ref['uri'] === 'string' ? (features.resourceTemplate(ref['uri'])?.scopes ?? uri(ref['uri'])) : [];
    };
    const subscriptions = (notifications) => {
        const uris = isJsonObject(notifications) ? notifications['resourceSubscriptions'] : undefined;
        // More than so many are refused by the method.
        return Array.isArray(uris) && uris.length <= FIELD_LIMITS.subscriptions ? uris.flatMap(uri) : [];
    };
    return { tool, prompt, uri, reference, subscriptions };
}
/** @param features those that answer the requests: a URI may be that of another one where some are left out */
export function createRequestScopes(features, { required, methods }) {
    const ofMethod = (method) => (Object.hasOwn(methods, method) ? (methods[method] ?? []) : []);
    const ofAnswering = ofMethod(ANSWER);
    const { tool, prompt, uri, reference, subscriptions } = scopesOfFeatures(features, ofMethod);
    /** The member of the params by which a method names what it is about, and what that needs. */
    const subjects = new Map([
        [CALL, ['name', tool]],
        ['prompts/get', ['name', prompt]],
        ['resources/read', ['uri', uri]],
        ['resources/subscribe', ['uri', uri]],
        ['completion/complete', ['ref', reference]],
        [LISTEN, ['notifications', subscriptions]],
    ]);
    const isStandIn = (name) => typeof name === 'string' && METHODS_BY_STAND_IN.has(name) && features.tool(name) === undefined;
    const ofMessage = (message) => {
        if (!isJsonObject(message))
            return [];
        if (typeof message['method'] !== 'string')
            return 'result' in message || 'error' in message ? ofAnswering : [];
        const { method, params } = message;
        const [member, scopesOf] = subjects.get(method) ?? [];
        if (!isJsonObject(params))
            return ofMethod(method);
        const ofSubject = member === undefined ? undefined : scopesOf?.(params[member]);
        // A tool that stands for a method goes on with a task of another call, and may answer it on the way.
        const isAnswer = method === CALL && 'inputResponses' in params && isStandIn(params['name']);
        return [...ofMethod(method), ...(ofSubject ?? []), ...(isAnswer ? ofAnswering : [])];
    };
    const ofBody = (body) => [...new Set([...required, ...(Array.isArray(body) ? body.flatMap(ofMessage) : ofMessage(body))])];
    return {
        /** Of a POST: each of several messages asks for its own. */
        ofBody,
        /** Of a stream that a GET opens or takes up again. */
        ofListening: [...new Set([...required, ...ofMethod(LISTEN)])],
        /** Of every request. */
        ofAll: required,
    };
}
/** The tasks that the body of a POST names, or the first of many: their tools may need more. */
export function tasksNamedIn(body) {
    return (Array.isArray(body) ? body.flatMap(tasksOfMessage) : tasksOfMessage(body)).slice(0, MAX_NAMED_TASKS);
}
function tasksOfMessage(message) {
    if (!isJsonObject(message) || !isJsonObject(message['params']))
        return [];
    const { taskId, notifications, arguments: args } = message['params'];
    const listened = isJsonObject(notifications) ? notifications['taskIds'] : undefined;
    const named = [taskId, isJsonObject(args) ? args['taskId'] : undefined, ...(Array.isArray(listened) ? listened : [])];
    return named.filter((id) => typeof id === 'string' && isTaskId(id)).slice(0, MAX_NAMED_TASKS);
}
/** What somebody has, and what that includes, and what that includes. */
export function withIncluded(scopes, { includes }) {
    const all = new Set(scopes);
    // A set is gone through with what is added on the way.
    for (const scope of all)
        for (const included of (Object.hasOwn(includes, scope) && includes[scope]) || [])
            all.add(included);
    return [...all];
}
/** All that any request could need, each once. */
export function knownScopes({ features }, { required, methods }) {
    const ofMethods = Object.values(methods).flatMap((scopes) => scopes ?? []);
    return [...new Set([...required, ...ofMethods, ...features.flatMap(({ scopes }) => scopes)])];
}
//# sourceMappingURL=request-scopes.js.map