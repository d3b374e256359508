import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from '../method.js';
import { canComplete } from '../server-info.js';
import { complete } from './complete.js';
import { getPrompt } from './get-prompt.js';
import { listPrompts, listResources, listResourceTemplates, listTools } from './lists.js';
import { readResource } from './read-resource.js';
import type { ContextOf } from './request-context.js';

/** What the methods work on. */
export interface FeatureMethodsDeps {
  readonly features: FeatureRegistry;
  readonly contextOf: ContextOf;
  /** Entries of a page of a list. */
  readonly pageSize: number;
}

/** The methods of tools, prompts, resources and completion that are the same in all protocol versions, as far as there are features for them. */
export function featureMethods({ features, contextOf, pageSize }: FeatureMethodsDeps): ReadonlyMap<string, Method> {
  const { prompts, resources, resourceTemplates } = features;
  const methods = [
    listTools(features, pageSize),
    ...(prompts.length === 0 ? [] : [listPrompts(features, pageSize), getPrompt(features, contextOf)]),
    ...(resources.length + resourceTemplates.length === 0
      ? []
      : [listResources(features, contextOf, pageSize), listResourceTemplates(features, pageSize), readResource(features, contextOf)]),
    ...(canComplete(features) ? [complete(features, contextOf)] : []),
  ];
  return new Map(methods.map((method) => [method.name, method]));
}
