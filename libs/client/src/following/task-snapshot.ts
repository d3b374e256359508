import { type CallToolResult, isCallToolResult } from '@modelcontextprotocol/client';
import { ProtocolViolationError } from '../errors.js';
import type { TaskStatus } from '../task-status.js';

/** A task as the server describes it at one moment, with what protocol version 2026-07-28 sends along with the status. */
export interface TaskSnapshot extends TaskStatus {
  readonly inputRequests?: Readonly<Record<string, { readonly method: string; readonly params?: unknown }>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** @throws ProtocolViolationError */
export function toolResult(value: unknown): CallToolResult {
  if (isCallToolResult(value)) return value;
  throw new ProtocolViolationError('What the server sent is no result of a tool call.');
}
