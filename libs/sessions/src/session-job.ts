import type { LoggingLevel } from '@modelcontextprotocol/sdk/types.js';
import type { FeatureList } from './client-notifications.js';
import type { StoredSession } from './session-values.js';

/** What a session job gets. What it sends reaches the client if it has a standalone stream open; otherwise it is lost. */
export interface SessionJobContext {
  readonly session: StoredSession & {
    /** Notifies the client that a list has changed. */
    listChanged(list: FeatureList): void;
  };
  /** Sends a log message to the client, if it wants that level. Limits and errors as of `ClientContext.log`. */
  log(level: LoggingLevel, data: unknown, logger?: string): void;
  /**
   * Notifies the client that a resource has changed, whether it has subscribed to it or not.
   *
   * @throws TaskError `INVALID_KEY` for a URI of more than 8 KiB
   */
  resourceUpdated(uri: string): void;
}

/** Work that is done again and again for a session. */
export interface RunnableSessionJob {
  /** From the end of one run to the next, milliseconds. The first run is at once. */
  readonly everyMs: number;
  run(context: SessionJobContext): Promise<void> | void;
}

/** Where session jobs are found by their names. */
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
  /** Under whom the bytes of the session's values are counted. @defaultValue the session itself */
  readonly account?: string;
}

/** What session jobs are called in the queue. Persisted, so frozen. */
export const SESSION_JOB = 'session';
