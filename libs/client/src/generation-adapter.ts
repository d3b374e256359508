import type { CallToolResult } from '@modelcontextprotocol/client';
import type { ActiveCall } from './active-call.js';
import type { TaskAccess } from './following/follow-task.js';
import type { TaskSnapshot } from './following/task-snapshot.js';

/** A tool call as it is sent. */
export interface ToolCall {
  readonly name: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Whether the server runs it once however often it comes. */
  readonly isRepeatable: boolean;
  readonly ttlMs?: number;
}

/** The answer to a tool call. */
export type CallAnswer = { readonly result: CallToolResult } | { readonly task: TaskSnapshot };

/** How one protocol version calls tools and reaches tasks. */
export interface GenerationAdapter {
  /** Calls the tool. When `call` is aborted it may still return for a moment, so that a new task is not left behind unknown. */
  start(toolCall: ToolCall, call: ActiveCall): Promise<CallAnswer>;
  task(taskId: string, call: ActiveCall): TaskAccess;
  /** Ends what the adapter keeps open. */
  close(): Promise<void>;
}
