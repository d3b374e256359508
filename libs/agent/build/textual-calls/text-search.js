/**
 * Searches a text for a string, from places that only go up. Remembers what it found and what it did not find, so that all
 * searches together read the text once: an attack on a reader of forms is a text with many openings and no closing.
 *
 * @param accepts whether an index where the string begins counts
 */
export function searchOf(text, sought, accepts = () => true) {
    let found;
    return (from) => {
        if (found === -1 || (found !== undefined && found >= from))
            return found;
        let index = text.indexOf(sought, from);
        while (index !== -1 && !accepts(index))
            index = text.indexOf(sought, index + sought.length);
        found = index;
        return index;
    };
}
const NOT_SPACE = /\S/g;
/** The index of the first character from `at` on that is no white space, or the length of the text. */
export function skipSpace(text, at) {
    NOT_SPACE.lastIndex = at;
    return NOT_SPACE.exec(text)?.index ?? text.length;
}
/** Matches a sticky expression at a place. */
export function matchAt(expression, text, at) {
    expression.lastIndex = at;
    return expression.exec(text) ?? undefined;
}
//# sourceMappingURL=text-search.js.map