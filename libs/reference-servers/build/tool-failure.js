/** A failure that a tool expects, in the words of the reference servers written in Python. */
export class ToolFailure extends Error {
    name = 'ToolFailure';
    constructor(tool, message) {
        super(`Error executing tool ${tool}: ${message}`);
    }
}
//# sourceMappingURL=tool-failure.js.map