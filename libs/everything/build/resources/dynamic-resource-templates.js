import { defineResourceTemplate } from '@longhaul/mcp-features';
import { DYNAMIC_URI_TEMPLATES, dynamicResource, dynamicResourceIdOf } from './dynamic-resources.js';
const METADATA = {
    Text: {
        name: 'Dynamic Text Resource',
        description: 'Plaintext dynamic resource fabricated from the {resourceId} variable, which must be an integer.',
        mimeType: 'text/plain',
    },
    Blob: {
        name: 'Dynamic Blob Resource',
        description: 'Binary (base64) dynamic resource fabricated from the {resourceId} variable, which must be an integer.',
        mimeType: 'application/octet-stream',
    },
};
/** Texts, one for every positive whole number, and the same as blobs. */
export function dynamicResourceTemplates(clock) {
    return [templateOf('Text', clock), templateOf('Blob', clock)];
}
function templateOf(type, clock) {
    return defineResourceTemplate({
        uriTemplate: DYNAMIC_URI_TEMPLATES[type],
        ...METADATA[type],
        complete: { resourceId: (typed) => (dynamicResourceIdOf(typed) === undefined ? [] : [typed]) },
        read({ resourceId }, _context, uri) {
            const id = dynamicResourceIdOf(resourceId);
            // The URI as it was asked for: `1.0` and `1` are the same number.
            return id === undefined ? undefined : { contents: [{ ...dynamicResource(type, id, clock), uri }] };
        },
    });
}
//# sourceMappingURL=dynamic-resource-templates.js.map