import type { ReadResourceResult, Resource as ListedResource } from '@modelcontextprotocol/sdk/types.js';
import { madeOf } from './feature-code.js';
import { type Needs, type StatedNeeds, statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import type { RequestContext } from './request-context.js';
import { type ResourceReturn, resourceResultOf } from './resource-result.js';
import { omitUndefined } from './omit-undefined.js';

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
  const resource: Resource = {
    kind: 'resource',
    name: spec.name,
    uri: spec.uri,
    ...statedNeeds(spec),
    listing: listingOf(spec),
    async read(uri, context) {
      const value = await inFeature({ kind: 'resource', name: spec.name }, () => spec.read(uri, context));
      return resourceResultOf(value, { uri, mimeType: spec.mimeType });
    },
  };
  return madeOf(resource, spec);
}

/** Every other field that the protocol has for a resource is taken over as it is. */
function listingOf(spec: ResourceSpec): ListedResource {
  const { uri, name, title, description, mimeType, size, annotations, icons, _meta } = spec;
  return omitUndefined({ uri, name, title, description, mimeType, size, annotations, icons, _meta });
}
