import { ConnectionLostError, RpcError } from '@longhaul/client';
import { JsonRpcCode } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** How a call of a tool has ended: with a result, with one that is an error, without one, or because it was not wanted any more. */
export type CallOutcome = 'result' | 'tool_error' | 'error' | 'lost' | 'cancelled';

/** Hears of all calls of tools, and may refuse them. */
export interface CallWatch {
  /** @throws SwitchedOffError when the tool, or without one the server, may not be used now */
  requireOn(server: string, tool?: string): void;
  /**
   * A call runs in this process from now on.
   *
   * @param calledAt when it was made, if another process has made it; epoch milliseconds
   * @returns a function for its end; without an outcome the call continues elsewhere
   */
  begin(server: string, tool: string, calledAt?: number): (outcome?: CallOutcome) => void;
}

/** An operator has turned the server or the tool off: nothing was called. Clients get it as the JSON-RPC error that it is. */
export class SwitchedOffError extends RpcError {
  override readonly name = 'SwitchedOffError';

  constructor(server: string, tool?: string) {
    const what = tool === undefined ? `The server "${server}"` : `The tool "${tool}" of the server "${server}"`;
    super(JsonRpcCode.InternalError, `${what} is turned off by an operator. The call was not made.`, { reason: 'SWITCHED_OFF' });
  }
}

/**
 * Makes a call, and reports it to a watch.
 *
 * @param end what `CallWatch.begin` gave
 * @param outcomeOf of an error; nothing if the call continues elsewhere
 */
export async function watchedCall(
  end: ReturnType<CallWatch['begin']> | undefined,
  run: () => Promise<CallToolResult>,
  outcomeOf: (error: unknown) => CallOutcome | undefined,
): Promise<CallToolResult> {
  let outcome: CallOutcome | undefined;
  try {
    const result = await run();
    outcome = result.isError === true ? 'tool_error' : 'result';
    return result;
  } catch (error) {
    outcome = outcomeOf(error);
    throw error;
  } finally {
    end?.(outcome);
  }
}

/** @param signal of the call */
export function outcomeOfError(error: unknown, signal?: AbortSignal): CallOutcome {
  if (signal?.aborted === true) return 'cancelled';
  return error instanceof ConnectionLostError ? 'lost' : 'error';
}
