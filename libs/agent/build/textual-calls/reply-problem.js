const EXCERPT_CHARACTERS = 200;
/** The beginning of what a model wrote from `at` on, on one line. */
export function excerpt(text, at = 0) {
    const beginning = text
        .slice(at, at + EXCERPT_CHARACTERS)
        .toWellFormed()
        .replace(/\s+/g, ' ')
        .trim();
    return at + EXCERPT_CHARACTERS < text.length ? `${beginning}…` : beginning;
}
//# sourceMappingURL=reply-problem.js.map