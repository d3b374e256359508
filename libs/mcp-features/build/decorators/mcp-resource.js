import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js';
import { defineResource } from '../define-resource.js';
import { defineResourceTemplate } from '../define-resource-template.js';
import { declaring } from './declarations.js';
import { featureName } from './feature-name.js';
/** What a template is called where a method adds to it. */
export function templateLabel(uriTemplate) {
    return `resource template "${uriTemplate}"`;
}
export function McpResource(spec) {
    return declaring('McpResource', (method) => {
        const { uri, ...described } = { ...spec, name: spec.name ?? featureName('McpResource', method) };
        if (!UriTemplate.isTemplate(uri)) {
            return (read) => ({ kind: 'feature', define: () => defineResource({ ...described, uri, read: read }) });
        }
        const target = { label: templateLabel(uri), arguments: new UriTemplate(uri).variableNames };
        return (read) => ({
            kind: 'feature',
            target,
            define: ({ completers, list }) => defineResourceTemplate({
                ...described,
                uriTemplate: uri,
                complete: completers,
                ...(list !== undefined && { list }),
                read,
            }),
        });
    });
}
//# sourceMappingURL=mcp-resource.js.map