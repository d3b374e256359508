/** A result as the reference servers give it: structured content, and the same as indented JSON for clients that read texts only. */
export function jsonResult(value) {
    return { content: [{ type: 'text', text: JSON.stringify(value, null, 2) }], structuredContent: value };
}
//# sourceMappingURL=json-result.js.map