/** The flags in the words of `parseArgs`. */
export function parseOptionsOf(flags) {
    return Object.fromEntries(flags.map(({ name, value }) => [
        name,
        value === undefined ? { type: 'boolean' } : { type: 'string', multiple: true },
    ]));
}
//# sourceMappingURL=verb.js.map