/**
 * Makes a span of each call of a tool, by OpenTelemetry's conventions for MCP and for generative AI. The server gets its id, so that spans
 * of the server belong to it. Without an SDK in the process it costs nothing.
 */
import { RpcError, TaskLeftError } from '@longhaul/client';
import { startClientSpan } from '@longhaul/runtime/client-span';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Makes a call within its span. @throws what `run` throws */
export async function tracedCall(
  server: string,
  tool: string,
  run: () => Promise<CallToolResult>,
  startSpan = startClientSpan,
): Promise<CallToolResult> {
  const span = startSpan(`tools/call ${tool}`, {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'longhaul.server': server,
  });
  try {
    const result = await span.within(run);
    if (result.isError === true) span.fail('tool_error');
    return result;
  } catch (error) {
    // A call that has become a task goes on.
    if (!(error instanceof TaskLeftError)) span.fail(typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function typeOf(error: unknown): string {
  if (error instanceof RpcError) return String(error.code);
  return error instanceof Error ? error.name : typeof error;
}
