import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from '../method.js';
import { pageOf } from '../page.js';

/** `prompts/list`: the prompts that the client can get. */
export function listPrompts({ listings }: FeatureRegistry, pageSize: number): Method {
  return {
    name: 'prompts/list',
    kind: 'acts',
    handle({ params, session }) {
      const { items, ...rest } = pageOf(listings.prompts(session.client().capabilities), params, pageSize);
      return { prompts: items, ...rest };
    },
  };
}
