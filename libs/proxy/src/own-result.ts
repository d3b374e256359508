import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Members of `_meta` that are about the connection to the server: its task, and its name. */
const OF_THE_CONNECTION = new Set(['io.modelcontextprotocol/related-task', 'io.modelcontextprotocol/serverInfo']);

/** The result of a server as one of this server. */
export function ownResult({ _meta, resultType: _type, ...result }: CallToolResult): CallToolResult {
  const meta = Object.entries(_meta ?? {}).filter(([name]) => !OF_THE_CONNECTION.has(name));
  return { ...result, ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }) };
}
