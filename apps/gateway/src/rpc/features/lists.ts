/** Defines the methods that list features: features that the client can use, and that the caller's token allows. */
import type { Requester } from '@longhaul/sessions/gateway';
import { type FeatureRegistry, type Listings, resultOrError } from '@longhaul/mcp-features';
import { missingCapabilities } from '@longhaul/tasks';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Call, Method } from '../method.js';
import { pageOf } from '../page.js';
import { holdsScopes } from '../scopes.js';
import type { ContextOf } from './request-context.js';

/** Gives tools the form in which a requester is listed them. */
export interface ListedTools {
  /** The tools of a page in the form that the requester is listed. Many clients read only the first page, so it has the stand-ins. */
  readonly listed: (page: readonly Tool[], requester: Requester, isFirst: boolean) => readonly Tool[];
}

/** `tools/list` */
export function listTools(features: FeatureRegistry, { listed }: ListedTools, pageSize: number): Method {
  return {
    name: 'tools/list',
    kind: 'acts',
    handle({ params, requester }) {
      const { items, ...rest } = pageOf(shownTo(features.listings.tools, requester), params, pageSize);
      return { tools: listed(items, requester, params?.['cursor'] === undefined), ...rest };
    },
  };
}

/** `prompts/list` */
export function listPrompts(features: FeatureRegistry, pageSize: number): Method {
  return {
    name: 'prompts/list',
    kind: 'acts',
    handle({ params, requester }) {
      const { items, ...rest } = pageOf(shownTo(features.listings.prompts, requester), params, pageSize);
      return { prompts: items, ...rest };
    },
  };
}

/** `resources/templates/list` */
export function listResourceTemplates(features: FeatureRegistry, pageSize: number): Method {
  return {
    name: 'resources/templates/list',
    kind: 'acts',
    handle({ params, requester }) {
      const { items, ...rest } = pageOf(shownTo(features.listings.resourceTemplates, requester), params, pageSize);
      return { resourceTemplates: items, ...rest };
    },
  };
}

/** `resources/list`: the resources that the client can read, and those that templates list for it. */
export function listResources(features: FeatureRegistry, contextOf: ContextOf, pageSize: number): Method {
  const listing = features.resourceTemplates.filter(({ list }) => list !== undefined);
  return {
    name: 'resources/list',
    // A template may have to ask elsewhere for its list.
    kind: listing.length > 0 ? 'waits' : 'acts',
    async handle(call: Call) {
      const { capabilities } = call.requester.client();
      const { auth } = call.requester;
      const able = listing.filter(
        ({ needs, scopes }) => missingCapabilities(needs, capabilities).length === 0 && holdsScopes(auth, scopes),
      );
      const context = able.length === 0 ? undefined : contextOf(call);
      const listed = await Promise.all(
        able.map(async ({ name, list }) =>
          context === undefined ? [] : resultOrError(`Resource template ${name}`, async () => (await list?.(context)) ?? []),
        ),
      );
      const { items, ...rest } = pageOf([...shownTo(features.listings.resources, call.requester), ...listed.flat()], call.params, pageSize);
      return { resources: items, ...rest };
    },
  };
}

function shownTo<Listed>(listings: Listings<Listed>, requester: Requester): readonly Listed[] {
  return listings(requester.client().capabilities, (scopes) => holdsScopes(requester.auth, scopes));
}
