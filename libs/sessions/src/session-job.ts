import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { FeatureList } from './client-notifications.js';
import type { StoredSession } from './session-values.js';

/** The context of a session job. Its messages reach the client if the client has a standalone stream open; otherwise they are lost. */
export interface SessionJobContext {
  readonly session: StoredSession & {
    /** Notifies the client that a list has changed. */
    listChanged(list: FeatureList): void;
  };
  /** Sends a log message to the client, if it wants that level. Limits and errors are the same as for `ClientContext.log`. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /**
   * Notifies the client that a resource has changed, whether it has subscribed to it or not.
   *
   * @throws TaskError `INVALID_KEY` for a URI of more than 8 KiB
   */
  resourceUpdated(uri: string): void;
}

/** Work that is repeated for a session. */
export interface RunnableSessionJob {
  /** From the end of one run to the next, milliseconds. The first run is at once. */
  readonly everyMs: number;
  run(context: SessionJobContext): Promise<void> | void;
}

/** Finds session jobs by their names. */
export interface SessionJobCatalogue {
  sessionJob(name: string): RunnableSessionJob | undefined;
}

/** One run of a session job. Persisted as the data of its job in the queue. */
export interface SessionJobRun {
  readonly sessionId: string;
  /** Name of the session job. */
  readonly name: string;
  /** Distinguishes one start of the job from another. */
  readonly runId: string;
  /** The account under which the bytes of the session's values are counted. @defaultValue the session itself */
  readonly account?: string;
}

/** The kind of session jobs in the queue. Persisted, so frozen. */
export const SESSION_JOB = 'session';
