/**
 * Some clients write null for a member that they could omit. This module removes such members before any other code reads a message, so
 * that no other code has to handle both forms. Null stays if it is a value of its own: in data of tools and of third parties' extensions.
 */
import { isJsonObject } from '@longhaul/tasks';

type Members = Record<string, unknown>;

/** Members that neither the protocol nor this server defines: their nulls are values. */
const FOREIGN: ReadonlySet<string> = new Set(['input', 'structuredContent']);
/** Null is a value: `task.ttl` asks for the longest time, and data may be anything. */
const NULLABLE: ReadonlySet<string> = new Set(['ttl', 'data']);
/** Members of `_meta` that the protocol or this server defines. */
const KNOWN_META = /^[^/]*$|^(?:io\.modelcontextprotocol|longhaul)\//;

/** A message, or a batch of them, from `JSON.parse`: the value itself is changed. */
export function withoutNulls(body: unknown): unknown {
  for (const message of Array.isArray(body) ? body : [body]) if (isJsonObject(message)) clear(message);
  return body;
}

function clear(message: Members): void {
  const { id, method } = message;
  // A notification has no id. On a request null is refused: its answer could not be distinguished from others.
  if (id === null && typeof method === 'string' && method.startsWith('notifications/')) delete message['id'];
  for (const member of ['params', 'result', 'error']) if (message[member] === null && isLeftOut(message, member)) delete message[member];
  for (const member of ['params', 'result']) removeNulls(message[member], method);
}

/** A response without its result and its error has no content: then null counts as a member, and as a wrong one. */
function isLeftOut(message: Members, member: string): boolean {
  if (member === 'params') return true;
  const other = message[member === 'result' ? 'error' : 'result'];
  return other !== undefined && other !== null;
}

function removeNulls(value: unknown, method: unknown): void {
  if (Array.isArray(value)) for (const item of value) removeNulls(item, method);
  if (!isJsonObject(value)) return;
  const members: Members = value;
  for (const [name, member] of Object.entries(members)) {
    if (member === null) {
      if (!NULLABLE.has(name)) delete members[name];
    } else if (typeof member !== 'object' || FOREIGN.has(name)) continue;
    else if (name === '_meta') removeNullsOfMeta(member as Members, method);
    // Null is no answer, and is refused by the key of its question.
    else if (name === 'inputResponses') for (const answer of Object.values(member)) removeNulls(answer, method);
    // The arguments of a tool have a schema, which may accept null; the arguments of prompts are texts.
    else if (name !== 'arguments' || method !== 'tools/call') removeNulls(member, method);
  }
}

function removeNullsOfMeta(meta: Members, method: unknown): void {
  for (const [name, member] of Object.entries(meta)) {
    if (!KNOWN_META.test(name)) continue;
    if (member === null) delete meta[name];
    else removeNulls(member, method);
  }
}
