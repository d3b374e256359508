/** The capabilities of clients that something here may need, and where a client declares each. */
import { isJsonObject } from './json.js';
const DECLARED_AT = {
    'elicitation.form': ['elicitation', 'form'],
    'elicitation.url': ['elicitation', 'url'],
    sampling: ['sampling'],
    'sampling.tools': ['sampling', 'tools'],
    'sampling.context': ['sampling', 'context'],
    roots: ['roots'],
    apps: ['extensions', 'io.modelcontextprotocol/ui'],
    'tasks.elicitation': ['tasks', 'requests', 'elicitation', 'create'],
    'tasks.sampling': ['tasks', 'requests', 'sampling', 'createMessage'],
};
/** What pages of MCP Apps are. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app';
/** Whether the client has declared the capability. */
export function hasCapability(capabilities, capability) {
    const { elicitation } = capabilities;
    // `{}`, and any other value without a mode, stands for form mode: the URL mode came later.
    if (capability === 'elicitation.form')
        return isJsonObject(elicitation) && ('form' in elicitation || !('url' in elicitation));
    let at = capabilities;
    for (const member of DECLARED_AT[capability])
        at = isJsonObject(at) ? at[member] : undefined;
    if (capability === 'apps')
        return isJsonObject(at) && Array.isArray(at['mimeTypes']) && at['mimeTypes'].includes(APP_MIME_TYPE);
    return isJsonObject(at);
}
/** Those of the needed capabilities that the client has not declared, in the given order. */
export function missingCapabilities(needs, capabilities) {
    return needs.filter((need) => !hasCapability(capabilities, need));
}
/** What a client declares that has these capabilities and no others. */
export function declarationOf(capabilities) {
    const declaration = {};
    for (const capability of capabilities) {
        let at = declaration;
        for (const member of DECLARED_AT[capability])
            at = (at[member] ??= {});
        if (capability === 'apps')
            at['mimeTypes'] = [APP_MIME_TYPE];
    }
    return declaration;
}
//# sourceMappingURL=client-capability.js.map