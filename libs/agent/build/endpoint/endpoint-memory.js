/** The name of the facts: the URL without what may be secret in it, and the model. */
export function memoryKey(baseUrl, model) {
    return `${baseUrl.origin}${baseUrl.pathname} ${model}`;
}
//# sourceMappingURL=endpoint-memory.js.map