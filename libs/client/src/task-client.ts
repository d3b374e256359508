import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import type { Generation } from './generation.js';
import type { CallOptions, FollowOptions } from './options.js';
import type { TaskReference } from './task-reference.js';

/** A connected client. */
export interface TaskClient {
  /** The SDK's client on the same connection, for all that is not a tool call. */
  readonly client: Client;
  /** The protocol version that was agreed on. */
  readonly generation: Generation;

  /**
   * Calls a tool and waits for its result, whether the server answers at once or makes the call a task.
   *
   * While the call is under way the connection may break and the server may be replaced. Requests that only read are
   * sent again, and streams are resumed. The call itself is sent again only if the server certainly did not get it,
   * or if there is an `idempotencyKey`.
   *
   * A result with `isError` is a result. @throws RpcError and TaskFailedError when the tool, or the server, answers with a JSON-RPC error.
   * ConnectionLostError; its `reference`, if it has one, leads back to the task. TaskCancelledError, InputFailedError, CancelFailedError,
   * ClientClosedError, and the reason of `signal`.
   */
  callTool(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<CallToolResult>;

  /**
   * Takes up a task that another call, or another process, has left behind, and waits for its result. What it asks
   * is asked again, unless it was answered.
   *
   * @throws TypeError if the reference is none; otherwise as `callTool`
   */
  resumeTask(reference: TaskReference, options?: FollowOptions): Promise<CallToolResult>;

  /**
   * Disconnects. Running calls reject with ClientClosedError; their tasks continue and can be resumed. The session is ended, unless there
   * are such tasks: they could not be reached without it.
   */
  close(): Promise<void>;
}
