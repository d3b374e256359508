/**
 * What `tools/list` shows to which client. A tool whose needs the client does not meet is left out.
 *
 * A listing is put together once for each set of capabilities and then kept. Only capabilities that
 * some tool needs tell sets apart, so clients cannot make many of them.
 */
import type { JsonObject } from '@longhaul/tasks';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { missingCapabilities } from './client-capability.js';
import type { Tool } from './tool.js';

/** The tools that a client with these capabilities can call, in the order in which they were defined. */
export type ToolListings = (capabilities: JsonObject) => readonly ListedTool[];

export function createToolListings(tools: readonly Tool[]): ToolListings {
  const needed = [...new Set(tools.flatMap(({ needs }) => needs))];
  const listings = new Map<string, readonly ListedTool[]>();
  return (capabilities) => {
    const key = missingCapabilities(needed, capabilities).join();
    const known = listings.get(key);
    if (known !== undefined) return known;
    const listing = tools.filter(({ needs }) => missingCapabilities(needs, capabilities).length === 0).map(({ listing }) => listing);
    listings.set(key, listing);
    return listing;
  };
}
