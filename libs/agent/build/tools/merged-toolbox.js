import { nameTools } from './tool-names.js';
/**
 * One toolbox of several, whose tools get names that are unique among all of them.
 *
 * @throws RangeError, when its tools are looked at, if two of them have a server of the same name
 */
export function mergedToolbox(toolboxes) {
    const merge = lastOf((lists) => mergedTools(lists, toolboxes));
    const merged = () => merge(toolboxes.map(({ tools }) => tools));
    return {
        get tools() {
            return merged().tools;
        },
        call: async (request, options) => {
            const origin = merged().origins.get(keyOf(request.tool.server, request.tool.listed.name));
            if (origin === undefined)
                throw new Error(`The tool ${request.tool.name} is no longer there.`);
            return origin.toolbox.call({ ...request, tool: origin.tool }, options);
        },
    };
}
function mergedTools(lists, toolboxes) {
    const byServer = new Map();
    const origins = new Map();
    for (const [index, toolbox] of toolboxes.entries()) {
        for (const tool of lists[index] ?? []) {
            const server = byServer.get(tool.server) ?? { toolbox, tools: [] };
            if (server.toolbox !== toolbox)
                throw new RangeError(`Two servers have the name "${tool.server}": give one of them another name.`);
            server.tools.push(tool);
            byServer.set(tool.server, server);
            origins.set(keyOf(tool.server, tool.listed.name), { toolbox, tool });
        }
    }
    const servers = [...byServer].map(([server, { tools }]) => ({ server, tools: tools.map(({ listed }) => listed) }));
    return { tools: nameTools(servers), origins };
}
function keyOf(server, tool) {
    return JSON.stringify([server, tool]);
}
/** Remembers what was made of the last lists: a toolbox gives the same list until its tools change. */
function lastOf(make) {
    let last;
    return (lists) => {
        const isSame = last?.lists.length === lists.length && last.lists.every((list, index) => list === lists[index]);
        if (last === undefined || !isSame)
            last = { lists, made: make(lists) };
        return last.made;
    };
}
//# sourceMappingURL=merged-toolbox.js.map