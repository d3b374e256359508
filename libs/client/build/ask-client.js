import { InputFailedError } from './errors.js';
import { INPUT_METHODS } from './input.js';
import { untilAborted } from './until-aborted.js';
/**
 * Has the function for the kind of request answer it, until the signal of the context is aborted.
 *
 * @throws InputFailedError if there is no such function, or it throws; the reason of the signal
 */
export async function askClient(handlers, request, context) {
    const { kind } = request;
    const { signal } = context;
    if (handlers[kind] === undefined)
        throw new InputFailedError(`The server asks for ${INPUT_METHODS[kind]}, but onInput has no function "${kind}".`);
    try {
        return await untilAborted(answer(handlers, request, context), signal);
    }
    catch (error) {
        if (signal.aborted)
            throw error;
        throw new InputFailedError(`onInput.${kind} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
}
/** Async, so that what the function throws at once becomes a rejection as well. */
async function answer(handlers, { kind, params }, context) {
    if (kind === 'elicitation')
        return handlers.elicitation?.(params, context);
    if (kind === 'sampling')
        return handlers.sampling?.(params, context);
    return handlers.roots?.(context);
}
//# sourceMappingURL=ask-client.js.map