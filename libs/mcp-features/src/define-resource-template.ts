import type {
  ReadResourceResult,
  Resource as ListedResource,
  ResourceTemplate as ListedResourceTemplate,
} from '@modelcontextprotocol/sdk/types.js';
import { type BoundCompleters, type Completers, completersByName } from './completion.js';
import { madeOf } from './feature-code.js';
import { type Needs, type StatedNeeds, statedNeeds } from './needs.js';
import { type FeatureScope, inFeature } from './feature-scope.js';
import type { RequestContext } from './request-context.js';
import { type ResourceReturn, resourceResultOf } from './resource-result.js';
import { omitUndefined } from './omit-undefined.js';
import { type UriMatcher, uriMatcherOf } from './uri-template-matcher.js';

/** The variables of a URI, decoded. */
export type UriVariables<Name extends string = string> = Readonly<Record<Name, string>>;

/** The names of the variables in a URI template: `'city' | 'day'` for `weather://{city}/{day}`, `'path'` for `file:///{+path}`. */
export type VariableNames<Template extends string> = Template extends `${string}{${infer Expression}}${infer Rest}`
  ? NamesIn<Expression extends `${Operator}${infer Names}` ? Names : Expression> | VariableNames<Rest>
  : never;

type Operator = '+' | '#' | '.' | '/' | '?' | '&';

type NamesIn<List extends string> = List extends `${infer Name},${infer Others}` ? NamesIn<Name> | NamesIn<Others> : WithoutStar<List>;

type WithoutStar<Name extends string> = Name extends `${infer Exploded}*` ? Exploded : Name;

/** A resource template to be defined. */
export interface ResourceTemplateSpec<Template extends string> extends Needs, Omit<ListedResourceTemplate, 'uriTemplate' | 'name'> {
  /** As in RFC 6570, such as `weather://{city}`. */
  readonly uriTemplate: Template;
  readonly name: string;
  /** Whether `resources/templates/list` shows it. Default: true. */
  readonly isListed?: boolean;
  /** The completions of variables. */
  readonly complete?: Completers<VariableNames<Template>>;
  /** The resources of this template that `resources/list` shows to the client. Default: none. */
  list?(context: RequestContext): Promise<readonly ListedResource[]> | readonly ListedResource[];
  /** Makes the content of a resource; `undefined` when there is none with these variables. */
  read(
    variables: UriVariables<VariableNames<Template>>,
    context: RequestContext,
    uri: string,
  ): Promise<ResourceReturn | undefined> | ResourceReturn | undefined;
}

/** A defined resource template. */
export interface ResourceTemplate extends StatedNeeds {
  readonly kind: 'resource-template';
  readonly name: string;
  readonly uriTemplate: string;
  readonly isListed: boolean;
  /** The template as `resources/templates/list` shows it. */
  readonly listing: ListedResourceTemplate;
  readonly completers: BoundCompleters;
  readonly list: ((context: RequestContext) => Promise<readonly ListedResource[]>) | undefined;
  /** The variables of a URI of this template; `undefined` for any other URI. */
  match(uri: string): UriVariables | undefined;
  /** @returns `undefined` when there is no such resource */
  read(variables: UriVariables, context: RequestContext, uri: string): Promise<ReadResourceResult | undefined>;
}

/**
 * Defines a resource for each URI of a template.
 *
 * @throws RangeError when the template cannot be distinguished from other URIs, or is broken
 */
export function defineResourceTemplate<const Template extends string>(spec: ResourceTemplateSpec<Template>): ResourceTemplate {
  const { isListed = true } = spec;
  const scope: FeatureScope = { kind: 'resource-template', name: spec.name };
  const match = matcherOf(spec.uriTemplate);
  const made: ResourceTemplate = {
    kind: 'resource-template',
    name: spec.name,
    uriTemplate: spec.uriTemplate,
    ...statedNeeds(spec),
    isListed,
    listing: listingOf(spec),
    completers: completersByName(scope, spec.complete),
    list: spec.list === undefined ? undefined : async (context) => (await inFeature(scope, () => spec.list?.(context))) ?? [],
    match: (uri) => decoded(match(uri)),
    async read(variables, context, uri) {
      const value = await inFeature(scope, () => spec.read(variables, context, uri));
      return value === undefined ? undefined : resourceResultOf(value, { uri, mimeType: spec.mimeType });
    },
  };
  return madeOf(made, spec);
}

/** Every other field that the protocol has for a template is taken over as it is. */
function listingOf(spec: Omit<ListedResourceTemplate, 'uriTemplate'> & { readonly uriTemplate: string }): ListedResourceTemplate {
  const { uriTemplate, name, title, description, mimeType, annotations, icons, _meta } = spec;
  return omitUndefined({ uriTemplate, name, title, description, mimeType, annotations, icons, _meta });
}

/** @throws RangeError that names the template */
function matcherOf(uriTemplate: string): UriMatcher {
  try {
    return uriMatcherOf(uriTemplate);
  } catch (error) {
    throw new RangeError(`URI template "${uriTemplate}": ${(error as Error).message}`, { cause: error });
  }
}

function decoded(variables: ReturnType<UriMatcher>): UriVariables | undefined {
  if (variables === undefined) return undefined;
  try {
    return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined; // Not a URI: an escape in it is broken.
  }
}
