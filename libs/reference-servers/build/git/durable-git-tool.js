import { defineTool } from '@longhaul/mcp-features';
import { ToolFailure } from '../tool-failure.js';
import { GitFailure } from './git-failure.js';
import { openRepository } from './open-repository.js';
/** What never changes anything. */
export const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** @returns annotations of what changes the repository */
export function writes(hints) {
    return { readOnlyHint: false, ...hints, openWorldHint: false };
}
/** A tool that runs on workers only, so that gateways need neither git nor the repositories. */
export function durableGitTool(spec, roots) {
    const { name, description, input, annotations } = spec;
    return defineTool({
        name,
        description,
        input,
        annotations,
        task: 'optional',
        async run(args, context) {
            const { repo_path: path } = args;
            const inRepository = (run) => async (step) => {
                try {
                    return await run(await openRepository({ path, roots, signal: step.signal }), step);
                }
                catch (error) {
                    throw isForClient(error) ? new ToolFailure(name, error.message) : error;
                }
            };
            return spec.run(args, context, inRepository);
        },
    });
}
/** What the file system says reaches the client as well, as at the reference server. */
function isForClient(error) {
    return error instanceof GitFailure || (error instanceof Error && 'syscall' in error);
}
//# sourceMappingURL=durable-git-tool.js.map