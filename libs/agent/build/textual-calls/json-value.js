/** Levels of a value of JSON or Python that is read from a text. A deeper one counts as broken: what walks through it next may recurse. */
export const MAX_DEPTH = 100;
/** What may stand in JSON outside of its strings. */
const STRUCTURE = /[\s{}[\],:0-9.+\-eEtrufalsn"]/;
/**
 * The index after the JSON object or array that begins at `at`, found by its brackets; undefined if it is cut, too deep or has
 * something outside of its strings that JSON does not have.
 *
 * To stop at the first such character is what keeps the reading of hostile text linear: every marker of a form has one, so of
 * two attempts that began at different markers, at most one can run across a third.
 */
function endOfJson(text, at) {
    let depth = 0;
    for (let index = at; index < text.length; index++) {
        const character = text.charAt(index);
        if (!STRUCTURE.test(character))
            return undefined;
        if (character === '"') {
            index = endOfString(text, index);
        }
        else if (character === '{' || character === '[') {
            if (++depth > MAX_DEPTH)
                return undefined;
        }
        else if ((character === '}' || character === ']') && --depth === 0) {
            return index + 1;
        }
    }
    return undefined;
}
/** The index of the quote that ends the string which begins at `at`, or the length of the text. */
function endOfString(text, at) {
    let index = at + 1;
    while (index < text.length && text.charAt(index) !== '"')
        index += text.charAt(index) === '\\' ? 2 : 1;
    return index;
}
/** Reads the JSON object or array that begins at `at`; undefined if there is none, or a broken one. */
export function readJsonAt(text, at) {
    if (text.charAt(at) !== '{' && text.charAt(at) !== '[')
        return undefined;
    const end = endOfJson(text, at);
    if (end === undefined)
        return undefined;
    const value = parseJson(text.slice(at, end));
    return value === undefined ? undefined : { value, end };
}
/** Parses JSON; undefined if it is none. */
export function parseJson(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
//# sourceMappingURL=json-value.js.map