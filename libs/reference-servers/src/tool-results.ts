import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/**
 * Makes a result in the form of the reference servers: structured content, and the same as indented JSON for clients that read only texts.
 */
export function jsonResult(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}

/** A failure that a tool expects, in the words of the reference servers written in Python. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(tool: string, message: string) {
    super(`Error executing tool ${tool}: ${message}`);
  }
}
