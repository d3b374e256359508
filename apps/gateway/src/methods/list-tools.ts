import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from './method.js';

/** `tools/list`: in one page, all tools that the client can call. */
export function listTools({ toolListings }: FeatureRegistry): Method {
  return { name: 'tools/list', kind: 'acts', handle: ({ session }) => ({ tools: toolListings(session.client().capabilities) }) };
}
