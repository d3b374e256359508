/** Thrown by `decide` when a command is not allowed in the present state. */
export class CommandRejected extends Error {
    code;
    name = 'CommandRejected';
    constructor(code, message) {
        super(message);
        this.code = code;
    }
}
//# sourceMappingURL=rejection.js.map