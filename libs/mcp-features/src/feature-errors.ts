/**
 * What the code of features throws within a request. Its client gets the message of it and nothing more, so that its author has to find
 * the rest in the log. Durable tools run elsewhere, and the end of their task says what they have thrown.
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
 * From now on, each error of a feature is a warning with its stack.
 *
 * @param hidesMessages leaves out what features and callers have said. @defaultValue false
 * @returns ends it
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
