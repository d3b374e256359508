import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from '../method.js';
import { pageOf } from '../page.js';

/** `resources/templates/list`: the templates of resources that the client can read. */
export function listResourceTemplates({ listings }: FeatureRegistry, pageSize: number): Method {
  return {
    name: 'resources/templates/list',
    kind: 'acts',
    handle({ params, session }) {
      const { items, ...rest } = pageOf(listings.resourceTemplates(session.client().capabilities), params, pageSize);
      return { resourceTemplates: items, ...rest };
    },
  };
}
