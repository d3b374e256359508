/** Wraps a toolbox so that calls are asked for as the policy of each tool says; a "no" is an error that the model receives. */
export function withApproval(toolbox, policyOf, ask) {
    const approved = new Set();
    const keyOf = ({ server, listed }) => JSON.stringify([server, listed.name]);
    let lastQuestion = Promise.resolve();
    const approve = async (request, signal) => {
        const { tool } = request;
        if (approved.has(keyOf(tool)))
            return;
        const approval = await ask(request, signal);
        if (approval === 'always')
            approved.add(keyOf(tool));
        if (approval === 'no')
            throw new Error(`The user does not allow this call of ${tool.name}. Do not repeat it; go on without it.`);
    };
    return {
        get tools() {
            return toolbox.tools;
        },
        call: async (request, options) => {
            if (isAskedFor(request.tool, policyOf(request.tool))) {
                const question = lastQuestion.then(() => approve(request, options.signal));
                lastQuestion = question.catch(() => undefined);
                await question;
            }
            return toolbox.call(request, options);
        },
    };
}
/** Annotations are what a server says of itself: for one that nobody trusts, the policy has to be `always`. */
function isAskedFor({ listed }, policy) {
    return policy === 'always' || (policy === 'writes' && listed.annotations?.readOnlyHint !== true);
}
//# sourceMappingURL=approval.js.map