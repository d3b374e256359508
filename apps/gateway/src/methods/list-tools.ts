import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from './method.js';

/** `tools/list`: in one page, all tools that the client can call. */
export function listTools({ listings }: FeatureRegistry): Method {
  return { name: 'tools/list', kind: 'acts', handle: ({ session }) => ({ tools: listings.tools(session.client().capabilities) }) };
}
