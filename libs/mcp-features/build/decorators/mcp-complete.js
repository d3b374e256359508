import { declaring } from './declarations.js';
import { promptLabel } from './mcp-prompt.js';
import { templateLabel } from './mcp-resource.js';
export function McpComplete(spec) {
    const [of, named] = 'prompt' in spec ? [promptLabel(spec.prompt), spec.argument] : [templateLabel(spec.uri), spec.variable];
    return declaring('McpComplete', (method) => {
        const argument = named ?? String(method).replace(/^#/, '');
        return (complete) => ({ kind: 'completion', of, argument, complete });
    });
}
//# sourceMappingURL=mcp-complete.js.map