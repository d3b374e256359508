/** What keeps a value from being sent as JSON: what features return and throw is looked at before it goes on its way, while it is known whose it is. */
/**
 * @param value anything; members that JSON leaves out, such as functions, are no problem
 * @returns where and what it is, as in `content.0.text is a BigInt`; undefined when it can be sent
 */
export function jsonProblem(value) {
    try {
        const found = look(value, new Set());
        return found === undefined ? undefined : `${found.path.length === 0 ? 'it' : found.path.join('.')} ${found.what}`;
    }
    catch (error) {
        // A getter or a `toJSON` that throws, or more levels than the stack has.
        return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
}
/** Long texts cost nothing here, other than to write the JSON for the sake of finding out. */
function look(value, above) {
    if (typeof value === 'bigint')
        return { path: [], what: 'is a BigInt' };
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value))
        return undefined;
    if (above.has(value))
        return { path: [], what: 'contains itself' };
    above.add(value);
    const found = 'toJSON' in value && typeof value.toJSON === 'function' ? look(value.toJSON(), above) : lookInside(value, above);
    above.delete(value);
    return found;
}
function lookInside(value, above) {
    for (const [name, member] of Object.entries(value)) {
        const found = look(member, above);
        if (found !== undefined)
            return { path: [name, ...found.path], what: found.what };
    }
    return undefined;
}
//# sourceMappingURL=json-problem.js.map