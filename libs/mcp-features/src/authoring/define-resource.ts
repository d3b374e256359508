import type { ReadResourceResult, Resource as ListedResource } from '@modelcontextprotocol/sdk/types.js';
import { type Needs, type StatedNeeds, statedNeeds } from './feature.js';
import type { RequestContext } from './request-context.js';
import { type ResourceReturn, resourceResultOf } from './resource-result.js';

/** A resource to be defined. */
export interface ResourceSpec extends Needs, Omit<ListedResource, 'uri' | 'name'> {
  readonly uri: string;
  readonly name: string;
  /** Makes its content. @param uri as it was asked for */
  read(uri: string, context: RequestContext): Promise<ResourceReturn> | ResourceReturn;
}

/** A defined resource. */
export interface Resource extends StatedNeeds {
  readonly kind: 'resource';
  readonly name: string;
  readonly uri: string;
  /** The resource as `resources/list` shows it. */
  readonly listing: ListedResource;
  read(uri: string, context: RequestContext): Promise<ReadResourceResult>;
}

/** Defines a resource with a fixed URI. */
export function defineResource(spec: ResourceSpec): Resource {
  const { needs, needsSession, read: _, ...listing } = spec;
  return {
    kind: 'resource',
    name: spec.name,
    uri: spec.uri,
    ...statedNeeds({ needs, needsSession }),
    listing,
    read: async (uri, context) => resourceResultOf(await spec.read(uri, context), { uri, mimeType: spec.mimeType }),
  };
}
