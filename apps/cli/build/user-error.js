/** Something that the user can put right; its message is one line and all that is printed. */
export class UserError extends Error {
    name = 'UserError';
    /** 1: it failed. 2: the command line is not understood. Commands may have others. */
    exitCode;
    constructor(message, exitCode = 1) {
        super(message);
        this.exitCode = exitCode;
    }
}
/** The `code` of a failed system call, such as `EADDRINUSE`. */
export function errorCode(error) {
    return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
//# sourceMappingURL=user-error.js.map