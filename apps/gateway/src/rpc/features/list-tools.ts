import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from '../method.js';
import { pageOf } from '../page.js';

/** `tools/list`: the tools that the client can call. */
export function listTools({ listings }: FeatureRegistry, pageSize: number): Method {
  return {
    name: 'tools/list',
    kind: 'acts',
    handle({ params, session }) {
      const { items, ...rest } = pageOf(listings.tools(session.client().capabilities), params, pageSize);
      return { tools: items, ...rest };
    },
  };
}
