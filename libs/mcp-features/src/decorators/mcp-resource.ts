import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { defineResource, type ResourceSpec } from '../define-resource.js';
import { defineResourceTemplate, type ResourceTemplateSpec, type UriVariables, type VariableNames } from '../define-resource-template.js';
import type { RequestContext } from '../request-context.js';
import type { ResourceReturn } from '../resource-result.js';
import { declaring, type FeatureMethod } from './declarations.js';
import { featureName } from './feature-name.js';

interface OnMethod<Uri extends string> {
  /** A URI; one with variables, such as `config://{key}`, makes a resource template. */
  readonly uri: Uri;
  /** Default: the name of the method in kebab case, `opening-hours` for `openingHours`. */
  readonly name?: string;
}

/** The options of `@McpResource` for a resource. */
export type ResourceDecoration<Uri extends string> = OnMethod<Uri> & Omit<ResourceSpec, 'uri' | 'name' | 'read'>;

/** The options of `@McpResource` for a resource template; completions and the list are methods as well: see `McpComplete` and `McpList`. */
export type TemplateDecoration<Uri extends string> = OnMethod<Uri> &
  Omit<ResourceTemplateSpec<Uri>, 'uriTemplate' | 'name' | 'complete' | 'list' | 'read'>;

/** The name of the template to which a method adds. */
export function templateLabel(uriTemplate: string): string {
  return `resource template "${uriTemplate}"`;
}

/** Makes a resource template of a method, as `defineResourceTemplate` does of a function. */
export function McpResource<const Uri extends `${string}{${string}}${string}`>(
  spec: TemplateDecoration<Uri>,
): FeatureMethod<[variables: UriVariables<VariableNames<Uri>>, context: RequestContext, uri: string], ResourceReturn | undefined>;
/** Makes a resource of a method, as `defineResource` does of a function. */
export function McpResource<const Uri extends string>(
  spec: ResourceDecoration<string extends Uri ? never : Uri>,
): FeatureMethod<[uri: string, context: RequestContext], ResourceReturn>;
export function McpResource(
  spec: ResourceDecoration<string> | TemplateDecoration<string>,
): FeatureMethod<[first: never, context: RequestContext, uri: string], ResourceReturn | undefined> {
  return declaring('McpResource', (method) => {
    const { uri, ...described } = { ...spec, name: spec.name ?? featureName('McpResource', method) };
    if (!UriTemplate.isTemplate(uri)) {
      return (read) => ({ kind: 'feature', define: () => defineResource({ ...described, uri, read: read as ResourceSpec['read'] }) });
    }
    const target = { label: templateLabel(uri), arguments: new UriTemplate(uri).variableNames };
    return (read) => ({
      kind: 'feature',
      target,
      define: ({ completers, list }) =>
        defineResourceTemplate({
          ...described,
          uriTemplate: uri,
          complete: completers,
          ...(list !== undefined && { list }),
          read,
        }),
    });
  });
}
