/** The method of the server's request, by the kind of input. */
export const INPUT_METHODS = {
    elicitation: 'elicitation/create',
    sampling: 'sampling/createMessage',
    roots: 'roots/list',
};
/** The kind of input that a method asks for. */
export function inputKindOf(method) {
    return Object.keys(INPUT_METHODS).find((kind) => INPUT_METHODS[kind] === method);
}
/** The capabilities that the functions amount to; elicitation means forms. */
export function capabilitiesFor(handlers) {
    return {
        ...(handlers.elicitation !== undefined && { elicitation: { form: {} } }),
        ...(handlers.sampling !== undefined && { sampling: {} }),
        ...(handlers.roots !== undefined && { roots: {} }),
    };
}
//# sourceMappingURL=input.js.map