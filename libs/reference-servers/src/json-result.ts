import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** A result as the reference servers give it: structured content, and the same as indented JSON for clients that read texts only. */
export function jsonResult(value: Readonly<Record<string, unknown>>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}
