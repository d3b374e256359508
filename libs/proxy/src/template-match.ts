/**
 * Finds out whether a URI is of a template of a server. The server reads the URI itself, so the values of its variables do not matter here. SDKs
 * know more forms of templates than ours: with optional queries, several variables in an expression, or none at all.
 */
import { defineResourceTemplate, type ResourceTemplate } from '@longhaul/mcp-features';

/** @throws RangeError for a template with an expression that is not closed: clients cannot read it either */
export function templateMatch(uriTemplate: string): (uri: string) => boolean {
  const open = uriTemplate.lastIndexOf('{');
  if (open > uriTemplate.lastIndexOf('}')) throw new RangeError(`${uriTemplate.slice(open)} is not closed.`);
  const [path = ''] = uriTemplate.split(/\{[?&]/, 1);
  const [isWhole, isPath] = [strictMatch(uriTemplate), strictMatch(path)];
  return (uri) => isWhole(uri) || isPath(uri.split('?', 1)[0] ?? '');
}

function strictMatch(uriTemplate: string): (uri: string) => boolean {
  const open = uriTemplate.indexOf('{');
  if (open === -1) return (uri) => uri === uriTemplate;
  const known = templateOf(uriTemplate);
  if (known !== undefined) return (uri) => known.match(uri) !== undefined;
  const [prefix, suffix] = [uriTemplate.slice(0, open), uriTemplate.slice(uriTemplate.lastIndexOf('}') + 1)];
  return (uri) => uri.length > prefix.length + suffix.length && uri.startsWith(prefix) && uri.endsWith(suffix);
}

/** Nothing for a form that features cannot have. */
function templateOf(uriTemplate: string): ResourceTemplate | undefined {
  try {
    return defineResourceTemplate({ uriTemplate, name: uriTemplate, read: () => undefined });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
