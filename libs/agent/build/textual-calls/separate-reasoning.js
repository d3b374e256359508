const OPENING = '<think>';
const CLOSING = '</think>';
/**
 * Separates the reasoning that a model writes before its answer as `<think>…</think>`. The opening may be missing, because many
 * templates end the prompt with it. Without the closing, all of the text is reasoning: it was cut. A text without reasoning
 * is returned as it is.
 */
export function separateReasoning(text) {
    const thoughts = [];
    let rest = text;
    for (;;) {
        const start = rest.trimStart();
        const isOpened = start.startsWith(OPENING);
        const closing = rest.indexOf(CLOSING);
        // The opening may be missing only once, and only if no other one comes before the closing.
        const isLeftOpen = !isOpened && thoughts.length === 0 && closing !== -1 && !rest.slice(0, closing).includes(OPENING);
        if (!isOpened && !isLeftOpen)
            break;
        if (closing === -1) {
            thoughts.push(start.slice(OPENING.length).trim());
            rest = '';
            break;
        }
        thoughts.push(rest
            .slice(0, closing)
            .trimStart()
            .slice(isOpened ? OPENING.length : 0)
            .trim());
        rest = rest.slice(closing + CLOSING.length).trimStart();
    }
    if (thoughts.length === 0)
        return { content: text };
    const reasoning = thoughts.filter((thought) => thought !== '').join('\n\n');
    return { content: rest, ...(reasoning !== '' && { reasoning }) };
}
//# sourceMappingURL=separate-reasoning.js.map