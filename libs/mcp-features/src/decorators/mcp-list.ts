import type { Resource as ListedResource } from '@modelcontextprotocol/sdk/types.js';
import type { RequestContext } from '../request-context.js';
import { declaring, type FeatureMethod } from './declarations.js';
import { templateLabel } from './mcp-resource.js';

/** Makes a method list the resources of a template which `resources/list` shows to the client. */
export function McpList(spec: {
  /** The URI of the template, which is another method of the class. */
  readonly uri: string;
}): FeatureMethod<[context: RequestContext], readonly ListedResource[]> {
  const of = templateLabel(spec.uri);
  return declaring('McpList', () => (list) => ({ kind: 'list', of, list }));
}
