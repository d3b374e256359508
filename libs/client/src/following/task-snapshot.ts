import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/client';
import { ProtocolViolationError } from '../errors.js';
import type { TaskStatus } from '../task-status.js';
import { isObject, isUnknownBlock } from '../wire/usable-parts.js';

/** A task as the server describes it at one moment, with what protocol version 2026-07-28 sends along with the status. */
export interface TaskSnapshot extends TaskStatus {
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: unknown }>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Member of the metadata of `tasks/get` that has the value that the tool shows. */
const EXPOSED = 'longhaul/exposed';

/** The value that the tool shows. @param meta of an answer to `tasks/get`; anything may come */
export function exposedIn(meta: unknown): Pick<TaskStatus, 'exposed'> {
  return isObject(meta) && Object.hasOwn(meta, EXPOSED) ? { exposed: meta[EXPOSED] } : {};
}

/** A result; its content may have blocks of kinds that the SDK does not know. @throws ProtocolViolationError */
export function toolResult(value: unknown): CallToolResult {
  const content: unknown = isObject(value) ? value['content'] : undefined;
  const known = Array.isArray(content) ? { ...(value as object), content: content.filter((block) => !isUnknownBlock(block)) } : value;
  if (isCallToolResult(known)) return value as CallToolResult;
  throw new ProtocolViolationError('What the server sent is no result of a tool call.');
}
