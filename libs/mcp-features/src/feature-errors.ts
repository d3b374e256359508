/**
 * Logs the errors that the code of features throws within a request. The client receives only the message, so the author needs the rest in
 * the log. Durable tools run elsewhere, and the end of their task states their error.
 */
import { channel } from 'node:diagnostics_channel';
import { TaskError, withoutMessage } from '@longhaul/tasks';

interface FeatureError {
  /** Which feature, as in `Tool echo`. */
  readonly feature: string;
  readonly error: unknown;
}

/** Where such errors are written. */
export interface FeatureErrorLog {
  warn(fields: object, message: string): void;
}

const thrown = channel('longhaul:feature-error');

/** Publishes what a feature has thrown, but for what says no more than that its client cannot do something, or has gone. */
export function publishFeatureError(feature: string, error: unknown): void {
  const isOfClient =
    error instanceof TaskError ? error.code === 'CLIENT_LACKS_CAPABILITY' : error instanceof Error && error.name === 'AbortError';
  if (!isOfClient) thrown.publish({ feature, error } satisfies FeatureError);
}

/**
 * Logs each error of a feature from now on, as a warning with its stack.
 *
 * @param hidesMessages leaves out the words of features and callers. @defaultValue false
 * @returns a function that ends the logging
 */
export function logFeatureErrors(log: FeatureErrorLog, hidesMessages = false): () => void {
  const listener = (message: unknown): void => {
    const { feature, error } = message as FeatureError;
    log.warn({ feature, err: hidesMessages ? withoutMessage(error) : error }, 'a feature failed');
  };
  thrown.subscribe(listener);
  return () => {
    thrown.unsubscribe(listener);
  };
}
