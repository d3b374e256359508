/** Defines the tools that an agent may use. */
import type { JsonObject, Spending } from '@longhaul/tasks';
import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ModelBill } from '../model/usage.js';

/** A tool that an agent may use. */
export interface AgentTool {
  /** As the model calls it: at most 64 of `A-Za-z0-9_-`, unique among all servers. */
  readonly name: string;
  /** The server that has it, by its name in the list of servers. */
  readonly server: string;
  /** As the server lists it. */
  readonly listed: ListedTool;
}

/** The argument that names a server, of tools that are about several. */
const SERVER_ARGUMENT = 'server';
const ABOUT_SERVERS = new WeakSet<ListedTool>();

/** Makes the listing of a tool that reads from the server that its argument `server` names: approvals are those of that server. */
export function aboutServers(listed: ListedTool): ListedTool {
  ABOUT_SERVERS.add(listed);
  return listed;
}

/** The server that a call is about. */
export function serverOf({ tool, arguments: args }: ToolRequest): string {
  const server = ABOUT_SERVERS.has(tool.listed) ? args[SERVER_ARGUMENT] : undefined;
  return typeof server === 'string' ? server : tool.server;
}

/** A call with parsed arguments. */
export interface ToolRequest {
  /** Of the model's call. */
  readonly id: string;
  readonly tool: AgentTool;
  readonly arguments: JsonObject;
}

/** How a call is made. */
export interface ToolCallOptions {
  /** Aborts with the host's signal, or by the machine's clock at the end of the run. In a task the latter counts only within steps. */
  readonly signal: AbortSignal;
  /**
   * When the time limit of the run ends, epoch milliseconds of the host's clock: the bound for waits that a task records. Absent for never.
   */
  readonly deadlineMs?: number;
  /** Called with the reports of the running tool. */
  readonly onProgress?: (message: string) => void;
  /** What is left for the model calls that a tool makes by itself, as another agent does. */
  readonly left?: Spending;
  /** Called with the requests to models that a tool has made by itself. They are counted already where the host counts. */
  readonly onBill?: (bill: readonly ModelBill[]) => void;
  /** Called when the answer of the tool is the answer of the whole run: the model is not asked again. */
  readonly onAnswer?: (answer: string) => void;
  /** Called with false when somebody is asked whether the call may be made, and with true when it may. */
  readonly onAsk?: (isAllowed: boolean) => void;
  /** Called with the arguments that a person wants instead of those of the model. */
  readonly onEdit?: (changed: JsonObject) => void;
}

/** Calls tools. In a task, what acts is recorded by the toolbox itself. */
export interface Toolbox {
  /** Those that there are now; in a task, in a replay the same as they were. */
  readonly tools: readonly AgentTool[];
  /**
   * Calls a tool and waits for its result, without a time limit. A result with `isError` is a result.
   *
   * @throws Error with the message for the model: the server is gone, the call was refused, or it is unknown whether it happened
   */
  call(request: ToolRequest, options: ToolCallOptions): Promise<CallToolResult>;
}
