/**
 * The words of a command, as a shell splits them: by spaces that are not in quotes; a backslash takes the next character as it is.
 * Nothing else of a shell is there, such as variables.
 *
 * @returns undefined when a quote is not closed
 */
export function splitWords(command) {
    const words = [];
    let word;
    for (const [, plain, single, double, escaped, space, open] of command.matchAll(TOKEN)) {
        if (open !== undefined)
            return undefined;
        if (space === undefined)
            word = `${word ?? ''}${plain ?? single ?? double?.replaceAll(/\\(["\\])/g, '$1') ?? escaped ?? ''}`;
        else if (word !== undefined) {
            words.push(word);
            word = undefined;
        }
    }
    return word === undefined ? words : [...words, word];
}
const TOKEN = /([^\s'"\\]+)|'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|(['"\\])/gs;
//# sourceMappingURL=split-words.js.map