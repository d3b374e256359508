/** Asks each server for its tools: once in a task, so that the model is offered the same ones to its end. @throws Error that names a server which cannot be connected */
export function listServers(context, connections, names) {
    return Promise.all(names.map((name, index) => context.step(`tools of server ${index + 1}`, async () => {
        const { server } = await connections.to(name);
        const { tools, instructions, client } = server;
        // As JSON: the SDK's types have members that may be anything.
        const listed = { name, generation: client.generation, tools, ...(instructions !== undefined && { instructions }) };
        return JSON.parse(JSON.stringify(listed));
    })));
}
//# sourceMappingURL=listed-server.js.map