/**
 * What the code of features throws within a request. Its client gets the message of it and nothing more, so that its author has to find
 * the rest in the log. Durable tools run elsewhere, and the end of their task says what they have thrown.
 */
import { channel } from 'node:diagnostics_channel';
import { TaskError, withoutMessage } from '@longhaul/tasks';
const thrown = channel('longhaul:feature-error');
/** Publishes what a feature has thrown, but for what says no more than that its client cannot do something, or has gone. */
export function publishFeatureError(feature, error) {
    const isOfClient = error instanceof TaskError ? error.code === 'CLIENT_LACKS_CAPABILITY' : error instanceof Error && error.name === 'AbortError';
    if (!isOfClient)
        thrown.publish({ feature, error });
}
/**
 * From now on, each error of a feature is a warning with its stack.
 *
 * @param hidesMessages leaves out what features and callers have said. @defaultValue false
 * @returns ends it
 */
export function logFeatureErrors(log, hidesMessages = false) {
    const listener = (message) => {
        const { feature, error } = message;
        log.warn({ feature, err: hidesMessages ? withoutMessage(error) : error }, 'a feature failed');
    };
    thrown.subscribe(listener);
    return () => {
        thrown.unsubscribe(listener);
    };
}
//# sourceMappingURL=feature-errors.js.map