/** The user's action, in a sentence; the values of an accepted form; and the closing text. */
export function formOutcome(answer, words) {
    const texts = [...outcome(answer, words), words.closing];
    return { content: texts.map((text) => ({ type: 'text', text })) };
}
function outcome({ action, content }, { accepted, declined, cancelled, labels }) {
    if (action === 'decline')
        return [declined];
    if (action === 'cancel')
        return [cancelled];
    if (action !== 'accept' || typeof content !== 'object' || content === null)
        return [];
    const values = new Map(Object.entries(content));
    const lines = Object.entries(labels)
        .filter(([field]) => values.get(field) !== undefined && values.get(field) !== '')
        .map(([field, label]) => `- ${label}: ${String(values.get(field))}`);
    return [accepted, `User inputs:\n${lines.join('\n')}`];
}
//# sourceMappingURL=form-outcome.js.map