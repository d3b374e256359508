import { declaring } from './declarations.js';
import { templateLabel } from './mcp-resource.js';
/** Has a method list the resources of a template which `resources/list` shows to the client. */
export function McpList(spec) {
    const of = templateLabel(spec.uri);
    return declaring('McpList', () => (list) => ({ kind: 'list', of, list }));
}
//# sourceMappingURL=mcp-list.js.map