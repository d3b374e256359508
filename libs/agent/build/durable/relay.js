/** Puts a question of a server to the client. @returns what it answered, or why it did not; never rejects */
export async function relay(context, question, asker) {
    context.status(`Waiting for an answer to a question of ${asker.tool} (server "${asker.server}")`);
    try {
        return { value: (await asked(context, question, asker)) };
    }
    catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
    }
}
function asked(context, { kind, params }, asker) {
    switch (kind) {
        case 'elicitation':
            return context.elicit(named(params, asker));
        case 'sampling':
            return context.sample(params);
        case 'roots':
            return context.roots().then((roots) => ({ roots }));
    }
}
/** The person has called the agent, and knows nothing of the server. */
function named(params, { server, tool }) {
    return { ...params, message: `${tool} of the server "${server}" asks: ${params['message']}` };
}
//# sourceMappingURL=relay.js.map