/**
 * Starts and stops session jobs. A value of the session says that a job runs, and which start of it; its job in the queue looks at that
 * value before each run. So a job ends when it is stopped, and when its session ends, because the values end with the session. A second
 * start is a separate job, and an old job cannot be mistaken for it.
 */
import { randomUUID } from 'node:crypto';
import { laneOf, type TaskQueue } from '@longhaul/tasks';
import type { SessionState } from './ports/session-state.js';
import { SESSION_JOB, type SessionJobCatalogue, type SessionJobRun } from './session-job.js';
import { runningJob } from './session-value-names.js';

/** Dependencies of session jobs. */
export interface SessionJobsDeps {
  readonly state: SessionState;
  readonly queue: Pick<TaskQueue, 'addSideJob'>;
  readonly features: SessionJobCatalogue;
}

/** The session jobs of a deployment. Every method rejects with `STORE_UNAVAILABLE` while the store cannot be reached. */
export interface SessionJobs {
  /**
   * @param account the account under which the bytes of the session's values are counted. @defaultValue the session itself
   * @returns false when it runs already; @throws RangeError when no job has this name
   */
  start(sessionId: string, name: string, account?: string): Promise<boolean>;
  /** The run that is under way is not interrupted. @returns false when it did not run */
  stop(sessionId: string, name: string): Promise<boolean>;
}

export function createSessionJobs({ state, queue, features }: SessionJobsDeps): SessionJobs {
  return {
    async start(sessionId, name, account) {
      if (features.sessionJob(name) === undefined) throw new RangeError(`There is no session job "${name}".`);
      const runId = randomUUID();
      if (!(await state.add(sessionId, runningJob(name), runId, account))) return false;
      try {
        const run: SessionJobRun = { sessionId, name, runId, ...(account !== undefined && { account }) };
        await queue.addSideJob({ kind: SESSION_JOB, id: `session-${runId}`, lane: laneOf(`session:${sessionId}`), data: { ...run } });
      } catch (error) {
        await state.delete(sessionId, runningJob(name));
        throw error;
      }
      return true;
    },
    stop: (sessionId, name) => state.delete(sessionId, runningJob(name)),
  };
}
