/** The tools that an agent may use, wherever they are. */
import type { JsonObject } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';

/** A tool that an agent may use. */
export interface AgentTool {
  /** As the model calls it: at most 64 of `A-Za-z0-9_-`, unique among all servers. */
  readonly name: string;
  /** The server that has it, by its name in the list of servers. */
  readonly server: string;
  /** As the server lists it. */
  readonly listed: ListedTool;
}

/** A call whose arguments have been parsed. */
export interface ToolRequest {
  /** Of the model's call. */
  readonly id: string;
  readonly tool: AgentTool;
  readonly arguments: JsonObject;
}

/** How a call is made. */
export interface ToolCallOptions {
  /** Aborts with the host's, or by the machine's clock when the time of the run is over; the latter counts in a task only within steps. */
  readonly signal: AbortSignal;
  /** When the time of the run is over, epoch milliseconds of the host's clock: the bound for waits that a task records. Absent for never. */
  readonly deadlineMs?: number;
  /** Called with what the tool says of itself meanwhile. */
  readonly onProgress?: (message: string) => void;
  /** Called with false when somebody is asked whether the call may be made, and with true when it may. */
  readonly onAsk?: (isAllowed: boolean) => void;
}

/** Calls tools. In a task, what acts is recorded by the toolbox itself. */
export interface Toolbox {
  /** Those that there are now; in a task, in a replay the same as they were. */
  readonly tools: readonly AgentTool[];
  /**
   * Calls a tool and waits for its result, however long that takes. A result with `isError` is a result.
   *
   * @throws Error whose message the model receives: the server is gone, the call was refused, nobody knows whether it happened
   */
  call(request: ToolRequest, options: ToolCallOptions): Promise<CallToolResult>;
}
