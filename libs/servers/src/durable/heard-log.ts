/**
 * Collects what servers log during a call of a task. The messages are recorded with the call, and passed on to the client after that, so that
 * each is passed on once, also if the worker dies.
 */
import type { LoggingLevel } from '@modelcontextprotocol/client';
import { LOG_LEVELS, loggerOf } from '../connection/logger-of.js';
import type { ServerLog } from '../connection/server-handlers.js';

/** Of a call, or of a look at its task. */
const MAX_MESSAGES = 100;
/** Of the JSON of all of them together. */
const MAX_BYTES = 64 * 1024;
/** Less severe ones would fill the history of the task. */
const LEAST_SEVERE: LoggingLevel = 'info';

/** A message, as the client sees it. Plain JSON: it is recorded. */
export interface HeardMessage {
  readonly level: LoggingLevel;
  readonly logger: string;
  readonly data: unknown;
}

/** The part of a record with the messages that were logged during it. */
export interface WithLog {
  readonly log?: readonly HeardMessage[];
}

export class HeardLog {
  #messages: HeardMessage[] = [];
  #bytes = 0;
  #leftOut = 0;

  add({ server, level, logger, data }: ServerLog): void {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(LEAST_SEVERE)) return;
    const message = { level, logger: loggerOf(server, logger), data: JSON.parse(JSON.stringify(data ?? null)) as unknown };
    const bytes = Buffer.byteLength(JSON.stringify(message));
    if (this.#messages.length >= MAX_MESSAGES || this.#bytes + bytes > MAX_BYTES) {
      this.#leftOut += 1;
      return;
    }
    this.#messages.push(message);
    this.#bytes += bytes;
  }

  /** The messages since the last time. */
  take(): WithLog {
    const log = this.#messages;
    const [last] = log.slice(-1);
    if (this.#leftOut > 0)
      log.push({ level: 'notice', logger: last?.logger ?? '', data: `${this.#leftOut} more messages of the server are left out.` });
    this.#messages = [];
    this.#bytes = 0;
    this.#leftOut = 0;
    return log.length === 0 ? {} : { log };
  }
}
