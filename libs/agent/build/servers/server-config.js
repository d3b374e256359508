/** When a person is asked before this tool is called: by its name, by the first pattern that it fits, or else `writes`. */
export function askBefore(tool, { ask }) {
    if (typeof ask === 'string')
        return ask;
    const pattern = Object.keys(ask).find((each) => matches(tool, each));
    return (Object.hasOwn(ask, tool) ? ask[tool] : ask[pattern ?? '']) ?? 'writes';
}
/** Whether calls of the tool with the same idempotency key are one call. */
export function takesIdempotencyKey(tool, { idempotencyKeys }) {
    return idempotencyKeys?.some((pattern) => matches(tool, pattern)) ?? false;
}
/** Whether the tool is one of those that may be used. */
export function isAllowed(tool, { tools }) {
    return tools?.some((pattern) => matches(tool, pattern)) ?? true;
}
/** `*` in a pattern is any text, also none. */
function matches(tool, pattern) {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw `\$&`));
    return new RegExp(`^${parts.join('.*')}$`, 's').test(tool);
}
//# sourceMappingURL=server-config.js.map