/** What is served in revision 2026-07-28: the methods that all protocol versions share, and those that only this one has. */
import { omitUndefined } from '@longhaul/mcp-features';
import { featureMethods } from '../../rpc/features/feature-methods.js';
import { traitsOf } from '../../rpc/methods.js';
import { servedMethods } from '../../rpc/served-methods.js';
import { serverCapabilities } from '../../rpc/server-info.js';
import { GENERATION, TASKS_EXTENSION } from '../requests/extension.js';
import { inRounds } from '../multi-round-trip/rounds.js';
import { runOnce } from '../multi-round-trip/run-once.js';
import { callTool } from './call-tool.js';
import { taskMethods } from './task-methods.js';
/** @returns the methods by their names */
export function modernMethods(deps) {
    const { features, instructions, tasks, listen } = deps;
    const capabilities = modernCapabilities(features);
    const shared = featureMethods(deps).map((method) => asModern(deps, method));
    const methods = [
        ...shared.map((method) => (method.name === 'tools/list' ? withFallbackTools(deps, method) : method)),
        discover(features, instructions),
        toolCalls(deps),
        ...taskMethods(tasks),
        listen,
    ];
    return servedMethods(methods, capabilities);
}
/** What the gateway declares: what its features can be asked for, and tasks as an extension. @param client as in `serverCapabilities` */
export function modernCapabilities(features, client) {
    const { tools, prompts, resources, completions, logging } = serverCapabilities(features, false, client);
    return omitUndefined({ tools, prompts, resources, completions, logging, extensions: { [TASKS_EXTENSION]: {} } });
}
/** A method as the other protocol version has it. What may ask its client is run in rounds here. */
function asModern(deps, method) {
    const { name } = method;
    const run = async (call) => method.handle(call);
    if (traitsOf(name).mayAsk !== true)
        return { name, kind: 'answers', answer: ({ call }) => run(call) };
    return { name, kind: 'answers', answer: (request) => runOnce(deps, request, () => inRounds(request, deps.seal, run)) };
}
function toolCalls(deps) {
    const answer = (request) => runOnce(deps, request, () => callTool(deps, request));
    return { name: 'tools/call', kind: 'answers', answer };
}
function discover(features, instructions) {
    const found = { supportedVersions: [GENERATION], ...(instructions !== undefined && { instructions }) };
    const answer = ({ call }) => ({
        ...found,
        capabilities: modernCapabilities(features, call.requester.client().capabilities),
    });
    return { name: 'server/discover', kind: 'answers', answer };
}
/** Tools as this revision lists them, and those that stand in for the tasks extension where the client has not declared it. */
function withFallbackTools({ features, fallback }, listTools) {
    const isListed = features.tools.some(({ taskSupport }) => taskSupport === 'optional');
    const added = isListed ? fallback.listings.filter(({ name }) => features.tool(name) === undefined) : [];
    return {
        ...listTools,
        async answer(request) {
            const page = await listTools.answer(request);
            // On the last page, so that the cursors of the others stay as they are.
            const isComplete = request.knowsTasks || page['nextCursor'] !== undefined;
            const tools = [...page['tools'], ...(isComplete ? [] : added)];
            return { ...page, tools: tools.map(withoutExecution) };
        },
    };
}
/** Whether a call becomes a task is not the client's to say in this revision. */
function withoutExecution({ execution: _execution, ...tool }) {
    return tool;
}
//# sourceMappingURL=method-table.js.map