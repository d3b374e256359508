import { isJsonObject } from '@longhaul/tasks/json';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Members of `_meta` that are about the connection to the server: its task, and its name. */
const OF_THE_CONNECTION = new Set(['io.modelcontextprotocol/related-task', 'io.modelcontextprotocol/serverInfo']);

/**
 * The result of a server as one of this server: as it is, but for what clients would refuse all of it for. That is structured content that is
 * no object, and that of an error, which clients check against the schema of the tool's output as well.
 */
export function ownResult({ _meta, resultType: _type, structuredContent, ...result }: CallToolResult): CallToolResult {
  const meta = Object.entries(_meta ?? {}).filter(([name]) => !OF_THE_CONNECTION.has(name));
  const isUsable = result.isError !== true && isJsonObject(structuredContent);
  return {
    ...result,
    ...(isUsable && { structuredContent }),
    ...(meta.length > 0 && { _meta: Object.fromEntries(meta) }),
  };
}
