import { type FeatureRegistry, omitUndefined } from '@longhaul/mcp-features';
import { packageVersion } from '@longhaul/runtime/package-version';
import { type JsonObject, missingCapabilities } from '@longhaul/tasks';
import type { Implementation, ServerCapabilities } from '@modelcontextprotocol/sdk/types.js';
import { DEFAULT_NAME, type ServerIdentity } from '../server-identity.js';

const VERSION = packageVersion(import.meta.url);

/**
 * The gateway's identity.
 *
 * @param other that of the other server that all of its features are of: it is shown unless the gateway was given a name
 */
export function serverInfo(
  { name, title, version, icon }: ServerIdentity = { name: DEFAULT_NAME },
  other?: Implementation,
): Implementation {
  if (other !== undefined && name === DEFAULT_NAME)
    return { ...other, ...omitUndefined({ title, version }), ...(icon !== undefined && { icons: [{ src: icon }] }) };
  const shown = title ?? (name === DEFAULT_NAME ? 'Longhaul' : undefined);
  return {
    name,
    ...(shown !== undefined && { title: shown }),
    version: version ?? VERSION,
    ...(icon !== undefined && { icons: [{ src: icon }] }),
  };
}

/** Whether any feature has something to complete. */
function canComplete({ prompts, resourceTemplates }: FeatureRegistry): boolean {
  return [...prompts, ...resourceTemplates].some(({ completers }) => Object.keys(completers).length > 0);
}

/**
 * The gateway's capabilities in revision 2025-11-25, which follow from its features. Without sessions, capabilities that need a session for
 * notifications or for a value are missing.
 *
 * @param client the client's capabilities: resources that the client cannot use, such as pages that it does not show, do not count; absent:
 * for all clients together
 */
export function serverCapabilities(features: FeatureRegistry, isStateless: boolean, client?: JsonObject): ServerCapabilities {
  const { tools, prompts, resourceTemplates } = features;
  const resources = features.resources.filter(({ needs }) => client === undefined || missingCapabilities(needs, client).length === 0);
  // What may come later is declared from the beginning: clients do not ask for what is not.
  const later = features.mayChange ? 1 : 0;
  const listChanged = isStateless ? {} : { listChanged: true };
  return {
    ...(tools.length + later > 0 && { tools: listChanged }),
    ...(prompts.length + later > 0 && { prompts: listChanged }),
    ...(resources.length + resourceTemplates.length + later > 0 && {
      resources: { ...(!isStateless && { subscribe: true }), ...listChanged },
    }),
    ...((canComplete(features) || later > 0) && { completions: {} }),
    ...(!isStateless && { logging: {} }),
    // Tasks can be listed only if their owner is known.
    tasks: { ...(!isStateless && { list: {} }), cancel: {}, requests: { tools: { call: {} } } },
  };
}
