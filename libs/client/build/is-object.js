/** Whether a value that came out of `JSON.parse` is an object: neither null nor an array. */
export function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}
//# sourceMappingURL=is-object.js.map