import { Refused } from '../http/problems.js';
export function createToolCatalogue({ loadFeatures, tasks }) {
    let loading;
    const registry = async () => {
        loading ??= loadFeatures();
        try {
            return await loading;
        }
        catch (error) {
            // A module that was mended is looked for again.
            loading = undefined;
            throw new Refused(503, 'FEATURES_NOT_LOADED', error instanceof Error ? error.message : String(error));
        }
    };
    const tools = async () => (await registry()).tools.filter((tool) => tool.taskSupport !== 'forbidden');
    const announced = async () => [...new Set((await tasks.workers()).flatMap((worker) => worker.tools))];
    return {
        tools,
        async unloaded() {
            const known = new Set((await tools()).map(({ name }) => name));
            return (await announced()).filter((name) => !known.has(name)).toSorted();
        },
        async tool(name) {
            const found = (await registry()).tool(name);
            if (found !== undefined && found.taskSupport !== 'forbidden')
                return found;
            if (found !== undefined)
                throw new Refused(409, 'NOT_A_TASK', `Tool ${name} answers within the request of its client: it does not run as a task.`);
            if ((await announced()).includes(name))
                throw new Refused(409, 'TOOL_NOT_LOADED', `Workers know tool ${name}, and this process does not: give it the same LONGHAUL_FEATURES as them.`);
            throw new Refused(404, 'NO_SUCH_TOOL', `There is no tool ${name}.`);
        },
    };
}
//# sourceMappingURL=tool-catalogue.js.map