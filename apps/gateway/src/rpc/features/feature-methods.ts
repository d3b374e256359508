import type { FeatureRegistry } from '@longhaul/mcp-features';
import type { Method } from '../method.js';
import { complete } from './complete.js';
import { getPrompt } from './get-prompt.js';
import { type ListedTools, listPrompts, listResources, listResourceTemplates, listTools } from './lists.js';
import { readResource } from './read-resource.js';
import type { ContextOf } from './request-context.js';

/** The parts that the methods use. */
export interface FeatureMethodsDeps {
  readonly features: FeatureRegistry;
  readonly plainCalls: ListedTools;
  readonly contextOf: ContextOf;
  /** The number of entries on a page of a list. */
  readonly pageSize: number;
}

/** The methods of tools, prompts, resources and completion that are the same in all protocol versions. */
export function featureMethods({ features, plainCalls, contextOf, pageSize }: FeatureMethodsDeps): readonly Method[] {
  return [
    listTools(features, plainCalls, pageSize),
    listPrompts(features, pageSize),
    getPrompt(features, contextOf),
    listResources(features, contextOf, pageSize),
    listResourceTemplates(features, pageSize),
    readResource(features, contextOf),
    complete(features, contextOf),
  ];
}
