/** Leaves out the members without a value: on the wire they would be a difference. */
export function omitUndefined(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
//# sourceMappingURL=omit-undefined.js.map