/** Runs session jobs on a worker. */
import { type Clock, type JobVerdict, readableThrown, type SideJobHandler, wholeMs } from '@longhaul/tasks';
import { listChangedNotification, logNotification, resourceUpdatedNotification } from './client-notifications.js';
import type { SessionState } from './ports/session-state.js';
import { SESSION_JOB, type SessionJobCatalogue, type SessionJobContext, type SessionJobRun } from './session-job.js';
import type { ClientNotification, SessionNotifications } from './session-notifications.js';
import { runningJob } from './session-value-names.js';
import { sessionValues } from './session-values.js';

/** Dependencies of session jobs. */
export interface SessionJobRunnerDeps {
  readonly features: SessionJobCatalogue;
  readonly state: SessionState;
  readonly notifications: SessionNotifications;
  readonly clock?: Clock;
  /** Called with the name of a job that throws, which runs again at its next time; and without a name when something else fails. */
  readonly onError: (error: unknown, job?: string) => void;
}

/** At most this many workers may die in a row while they run a session job. */
const MAX_LOSSES = 3;

/**
 * Makes the handler of session jobs for a queue's consumer. It runs a job once, unless the job was stopped, or has killed too many workers:
 * then the job ends, and may be started again.
 */
export function createSessionJobRunner({
  features,
  state,
  notifications,
  clock = Date.now,
  onError,
}: SessionJobRunnerDeps): Record<string, SideJobHandler> {
  const run: SideJobHandler = async (data, losses) => {
    const { sessionId, name, runId, account } = data as unknown as SessionJobRun;
    if ((await state.get(sessionId, runningJob(name))) !== runId) return {};
    const end = async (reason: string): Promise<JobVerdict> => {
      await state.delete(sessionId, runningJob(name));
      onError(new RangeError(reason));
      return {};
    };
    const job = features.sessionJob(name);
    if (job === undefined) return end(`There is no session job "${name}" any more.`);
    if (losses >= MAX_LOSSES)
      return end(`The session job "${name}" is ended: ${losses} workers have died one after the other while they ran it.`);
    const published: Promise<void>[] = [];
    const publish = (notification: ClientNotification): void => {
      published.push(notifications.publish(sessionId, notification).catch((error: unknown) => onError(error)));
    };
    const context: SessionJobContext = {
      session: { ...sessionValues(state, sessionId, account), listChanged: (list) => publish(listChangedNotification(list)) },
      log: (level, data, logger) => publish(logNotification(level, data, logger)),
      resourceUpdated: (uri) => publish(resourceUpdatedNotification(uri)),
    };
    try {
      await job.run(context);
    } catch (error) {
      onError(readableThrown(error), name);
    }
    await Promise.all(published);
    return { againAt: wholeMs(clock() + job.everyMs) };
  };
  return { [SESSION_JOB]: run };
}
