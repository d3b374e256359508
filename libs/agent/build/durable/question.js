/** A question as it is recorded: the same one is the same text, on any connection. */
export function questionOf(kind, params = {}) {
    const { _meta: _, task: __, ...asked } = params;
    return { kind, params: asked };
}
/** What a question is known by. */
export function keyOf({ kind, params }) {
    return JSON.stringify([kind, params]);
}
/** The value of an answer. @throws Error with the reason why there is none */
export function valueOf(answer) {
    if ('error' in answer)
        throw new Error(answer.error);
    return answer.value;
}
//# sourceMappingURL=question.js.map