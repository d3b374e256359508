/**
 * Repairs messages of servers that write null for a missing member or an empty list, or an empty list for an empty object, as PHP does. Such
 * members are removed from a message, or become what they stand for, before the SDK checks it. Null stays where it is a value.
 */
import { isObject } from './usable-parts.js';

type Members = Record<string, unknown>;
type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

/** The members that results always have, even if empty. */
const LISTS: ReadonlySet<string> = new Set([
  'tools',
  'prompts',
  'resources',
  'resourceTemplates',
  'content',
  'contents',
  'messages',
  'tasks',
]);
/** Members that the protocol does not define keep their nulls. */
const FOREIGN: ReadonlySet<string> = new Set(['arguments', 'input', 'structuredContent']);
/** Null is a value: it says that a task is kept without end, and data may be anything. */
const NULLABLE: ReadonlySet<string> = new Set(['ttl', 'ttlMs', 'data']);
/** Members of a JSON Schema that are values themselves. */
const SCHEMA_VALUES: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);
/** Members of `_meta` that are the protocol's or ours. */
const KNOWN_META = /^[^/]*$|^(?:io\.modelcontextprotocol|longhaul)\//;
const NONE: ReadonlySet<string> = new Set();
/** Members that are never lists. */
const OBJECTS: ReadonlySet<string> = new Set([
  '_meta',
  'annotations',
  'capabilities',
  'inputSchema',
  'outputSchema',
  'properties',
  'execution',
]);

/** @param message a message, or a batch of them, as `JSON.parse` has made it: that value is changed */
export function withoutNulls<T>(message: T): T {
  if (Array.isArray(message)) for (const one of message) withoutNulls<unknown>(one);
  if (!isObject(message)) return message;
  const members = message as Members;
  const { result } = members;
  if (isObject(result)) for (const name of LISTS) if (result[name] === null) (result as Members)[name] = [];
  for (const name of ['params', 'result', 'error']) {
    if (members[name] === null) delete members[name];
    else removeNulls(members[name], NONE);
  }
  return message;
}

/**
 * The function with answers without such nulls: the SDK's transport checks messages before it passes them on.
 *
 * @param listenerFor makes what receives the lines of the stream of events that a request is answered with
 */
export function fetchWithoutNulls(fetch: Fetch, listenerFor?: (request?: RequestInit) => ((line: string) => void) | undefined): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (!response.ok || response.body === null) return response;
    if (type.startsWith('application/json')) return withBody(response, ownError(cleaned(await response.text()), init?.body));
    return type.startsWith('text/event-stream') ? withBody(response, cleanedEvents(response.body, listenerFor?.(init))) : response;
  };
}

const EMPTY_LIST = /\[\s*\]/;

function withBody({ status, statusText, headers }: Response, body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { status, statusText, headers });
}

/** The lines of a stream of events, each as soon as it is complete. */
function cleanedEvents(body: ReadableStream<Uint8Array>, listen?: (line: string) => void): ReadableStream<Uint8Array> {
  let rest = '';
  const clean = (line: string): string => {
    listen?.(line);
    return line.startsWith('data:') ? `data:${cleaned(line.slice('data:'.length))}` : line;
  };
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
      if (end > 0) controller.enqueue((rest + text.slice(0, end)).replaceAll(/[^\r\n]+/g, clean));
      rest = end > 0 ? text.slice(end) : rest + text;
    },
    flush: (controller) => controller.enqueue(rest),
  });
  return body.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream());
}

/** Text that is no JSON stays as it is: the SDK reports the mistake. */
function cleaned(json: string): string {
  if (!json.includes('null') && !EMPTY_LIST.test(json)) return json;
  try {
    return JSON.stringify(withoutNulls(JSON.parse(json)));
  } catch {
    return json;
  }
}

/** An error without an id is that of the request which it answers: some servers do not find the id in a request that they do not understand. */
function ownError(json: string, body: RequestInit['body']): string {
  if (!json.includes('"error"') || typeof body !== 'string') return json;
  try {
    const answer: unknown = JSON.parse(json);
    const isUnnamed = isObject(answer) && answer['error'] !== undefined && (answer['id'] ?? undefined) === undefined;
    const { id } = JSON.parse(body) as { readonly id?: unknown };
    return isUnnamed && id !== undefined ? JSON.stringify({ ...answer, id }) : json;
  } catch {
    return json;
  }
}

function removeNulls(value: unknown, kept: ReadonlySet<string>): void {
  if (Array.isArray(value)) for (const item of value) removeNulls(item, kept);
  if (!isObject(value)) return;
  const members = value as Members;
  for (const [name, member] of Object.entries(members)) {
    if (kept.has(name)) continue;
    if (Array.isArray(member) && member.length === 0 && OBJECTS.has(name)) members[name] = {};
    if (name === 'capabilities' && isObject(member)) emptyLists(member);
    if (member === null) {
      if (!NULLABLE.has(name)) delete members[name];
    } else if (typeof member !== 'object' || FOREIGN.has(name)) continue;
    else if (name === '_meta') removeNullsOfMeta(member as Members);
    else removeNulls(member, name === 'inputSchema' || name === 'outputSchema' ? SCHEMA_VALUES : kept);
  }
}

/** Each capability is an object. */
function emptyLists(capabilities: Members): void {
  for (const [name, value] of Object.entries(capabilities)) if (Array.isArray(value) && value.length === 0) capabilities[name] = {};
}

function removeNullsOfMeta(meta: Members): void {
  for (const [name, member] of Object.entries(meta)) {
    if (!KNOWN_META.test(name)) continue;
    if (member === null) delete meta[name];
    else removeNulls(member, NONE);
  }
}
