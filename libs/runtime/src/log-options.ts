import { LOG_FIELDS } from './log-fields.js';
import { loggedError } from './logged-error.js';
import { type LogHooks, limitStoreErrors } from './store-error-limit.js';

/** Options of a pino logger. */
export interface LogOptions {
  readonly level: string;
  readonly base: Readonly<Record<string, unknown>>;
  readonly hooks: LogHooks;
  readonly serializers: typeof LOG_FIELDS & { readonly err: (error: unknown) => unknown };
}

/**
 * How every process logs: errors without the commands that failed, hashes instead of task ids, and an outage once a minute. @param base the
 * fields of every line
 */
export function logOptions(level: string, base: LogOptions['base']): LogOptions {
  return { level, base, hooks: limitStoreErrors(), serializers: { ...LOG_FIELDS, err: loggedError } };
}
