import { defineTool, } from '../define-tool.js';
import { declaring } from './declarations.js';
import { featureName } from './feature-name.js';
import { NO_ARGUMENTS } from './no-arguments.js';
export function McpTool(spec) {
    return declaring('McpTool', (method) => {
        const name = spec.name ?? featureName('McpTool', method);
        const input = spec.input ?? NO_ARGUMENTS;
        // Which of both kinds it is, is decided by `task`, here as in defineTool.
        return (run) => ({ kind: 'feature', define: () => defineTool({ ...spec, name, input, run }) });
    });
}
//# sourceMappingURL=mcp-tool.js.map