import { definePrompt } from '../define-prompt.js';
import { declaring } from './declarations.js';
import { featureName } from './feature-name.js';
/** What a prompt is called where a method adds to it. */
export function promptLabel(name) {
    return `prompt "${name}"`;
}
/** Makes a prompt of a method, as `definePrompt` does of a function. */
export function McpPrompt(spec) {
    return declaring('McpPrompt', (method) => {
        const name = spec.name ?? featureName('McpPrompt', method);
        const target = { label: promptLabel(name), arguments: Object.keys(spec.arguments?.shape ?? {}) };
        return (run) => ({
            kind: 'feature',
            target,
            define: ({ completers }) => definePrompt({ ...spec, name, run, complete: completers }),
        });
    });
}
//# sourceMappingURL=mcp-prompt.js.map