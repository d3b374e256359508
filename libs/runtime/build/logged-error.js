/**
 * What is logged of an error. An error of ioredis carries the command that failed with all that was sent, passwords (`AUTH`) and the data
 * of tasks among it, and Redis repeats the arguments of a command that it does not know. Nothing of that is logged, of the error itself
 * and of all that it carries: causes, the errors of a transaction, those of the nodes of a cluster.
 */
const MAX_DEPTH = 6;
/** What Redis says of the arguments of an unknown command, up to the end of the line. */
const ECHOED_ARGUMENTS = /(with args beginning with:).*/g;
/** The error as an object for a JSON log; anything but an error as it is. */
export function loggedError(error) {
    return error instanceof Error ? plainError(error, MAX_DEPTH) : error;
}
function plainError(error, depth) {
    const plain = {
        type: error.constructor.name || error.name,
        message: withoutArguments(error.message),
        stack: withoutArguments(error.stack ?? ''),
    };
    if (error instanceof AggregateError)
        plain['errors'] = plainValue(error.errors, depth - 1);
    for (const [name, value] of Object.entries(error)) {
        if (name === 'command')
            plain[name] = nameOf(value);
        else if (name !== 'cause' && !(name in plain))
            plain[name] = plainValue(value, depth - 1);
    }
    if (error.cause !== undefined)
        plain['cause'] = plainValue(error.cause, depth - 1);
    return plain;
}
function plainValue(value, depth) {
    if (typeof value !== 'object' || value === null)
        return value;
    if (depth === 0)
        return '…';
    if (value instanceof Error)
        return plainError(value, depth);
    return Array.isArray(value) ? value.map((item) => plainValue(item, depth - 1)) : value;
}
function nameOf(command) {
    return typeof command === 'object' && command !== null && 'name' in command ? command.name : undefined;
}
function withoutArguments(text) {
    return text.replaceAll(ECHOED_ARGUMENTS, '$1 …');
}
//# sourceMappingURL=logged-error.js.map