/** What examples, templates, tutorials and hasty people have in place of a secret. Random text has none of it, but for one in millions. */
const WORDS = /replace|change[-_. ]?(me|this|it)|(set|fill)[-_. ](me|this|it|in)[-_. ]|place[-_. ]?holder|example|default|your[-_. ]?(own|token|key)|secret|password|qwerty/i;
/** What a template has before it is filled in. */
const TEMPLATES = /^<.*>$|\$\{|\{\{/;
/** The same again and again. */
const REPETITION = /^(.+?)(?:[-_. ]?\1)+$/;
/** A text with a larger share of characters that follow each other, such as `0123456789abcdef`, is no random one. */
const MOST_IN_A_ROW = 0.5;
/** Fewer different characters than this are no random text, such as `xxxxxxxxxxxxxxxx`. */
const LEAST_DIFFERENT_CHARACTERS = 6;
/** Whether a secret was never set, but left as somebody else wrote it: everyone knows such a secret. */
export function isPlaceholder(secret) {
    if (WORDS.test(secret) || TEMPLATES.test(secret) || REPETITION.test(secret))
        return true;
    return new Set(secret).size < LEAST_DIFFERENT_CHARACTERS || shareInARow(secret) > MOST_IN_A_ROW;
}
function shareInARow(text) {
    let inARow = 0;
    for (let at = 1; at < text.length; at++)
        if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1)
            inARow += 1;
    return inARow / (text.length - 1);
}
//# sourceMappingURL=placeholder.js.map