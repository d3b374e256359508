import { packageVersion } from '@longhaul/runtime/package-version';
import { missingCapabilities } from '@longhaul/tasks';
import { DEFAULT_NAME } from '../server-identity.js';
const VERSION = packageVersion(import.meta.url);
/** Who the gateway says it is. */
export function serverInfo({ name, title, version, icon } = { name: DEFAULT_NAME }) {
    const shown = title ?? (name === DEFAULT_NAME ? 'Longhaul' : undefined);
    return {
        name,
        ...(shown !== undefined && { title: shown }),
        version: version ?? VERSION,
        ...(icon !== undefined && { icons: [{ src: icon }] }),
    };
}
/** Whether any feature has something to complete. */
function canComplete({ prompts, resourceTemplates }) {
    return [...prompts, ...resourceTemplates].some(({ completers }) => Object.keys(completers).length > 0);
}
/**
 * What the gateway declares in revision 2025-11-25: what its features can be asked for. Without
 * sessions, it does not declare what needs a session to notify or to keep a value in.
 *
 * @param client what the client declares: resources that are none for it, such as pages that it does not show, are not declared to it;
 *   absent: for all clients together
 */
export function serverCapabilities(features, isStateless, client) {
    const { tools, prompts, resourceTemplates } = features;
    const resources = features.resources.filter(({ needs }) => client === undefined || missingCapabilities(needs, client).length === 0);
    const listChanged = isStateless ? {} : { listChanged: true };
    return {
        ...(tools.length > 0 && { tools: listChanged }),
        ...(prompts.length > 0 && { prompts: listChanged }),
        ...(resources.length + resourceTemplates.length > 0 && { resources: { ...(!isStateless && { subscribe: true }), ...listChanged } }),
        ...(canComplete(features) && { completions: {} }),
        ...(!isStateless && { logging: {} }),
        // To list tasks, one has to know whose they are.
        tasks: { ...(!isStateless && { list: {} }), cancel: {}, requests: { tools: { call: {} } } },
    };
}
//# sourceMappingURL=server-info.js.map