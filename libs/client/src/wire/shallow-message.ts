/**
 * Bounds how deep the messages of servers are nested: what checks them, and writes them, calls itself for each level. An entry of a list that
 * is too deep is left out; an answer that is too deep otherwise becomes an error.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isObject, LIST_NAMES } from './usable-parts.js';

/** As deep as a request may be that a gateway takes. */
const MAX_DEPTH = 256;
/** Of a message around an entry: message, result, list. */
const FRAME = 3;
const INTERNAL_ERROR = -32_603;

/**
 * @param message as `JSON.parse` has made it: its lists are changed
 * @param warn receives a line about each entry that is left out
 */
export function shallowMessage<T extends JSONRPCMessage>(message: T, warn: (line: string) => void): T {
  if (!isDeeper(message, MAX_DEPTH + FRAME)) return message;
  const { id, result } = message as { readonly id?: unknown; readonly result?: unknown };
  if (isObject(result)) for (const name of LIST_NAMES) leaveOutDeep(result, name, warn);
  if (!isDeeper(message, MAX_DEPTH + FRAME)) return message;
  const text = `The server sent a message that is nested deeper than ${MAX_DEPTH} levels.`;
  warn(text);
  const answer = id !== undefined && result !== undefined;
  return (
    answer ? { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: text } } : { jsonrpc: '2.0', method: 'notifications/unreadable' }
  ) as T;
}

function leaveOutDeep(result: Record<string, unknown>, name: string, warn: (line: string) => void): void {
  const list = result[name];
  if (!Array.isArray(list)) return;
  result[name] = list.filter((entry: unknown) => {
    if (!isDeeper(entry, MAX_DEPTH)) return true;
    const title = isObject(entry) && typeof entry['name'] === 'string' ? JSON.stringify(entry['name'].slice(0, MAX_DEPTH)) : 'one';
    warn(`Of the ${name}, ${title} is left out: it is nested deeper than ${MAX_DEPTH} levels`);
    return false;
  });
}

/** Whether a value is nested deeper. It calls itself for no level. */
function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level
      .flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
      .filter((each) => typeof each === 'object');
  }
  return false;
}
