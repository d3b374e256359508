/** A worker's side of session jobs. */
import type { Clock, JobVerdict, JsonObject, SessionJobHandler, SessionNews, SessionState } from '@longhaul/tasks';
import type { SessionJobContext } from '../define-session-job.js';
import type { FeatureRegistry } from '../feature-registry.js';
import { listChangedNews, logNews, resourceUpdatedNews } from './client-news.js';
import { runningJob } from './session-value-names.js';
import { sessionValues } from './session-values.js';

/** What session jobs run with. */
export interface SessionJobRunnerDeps {
  readonly features: Pick<FeatureRegistry, 'sessionJob'>;
  readonly state: SessionState;
  readonly news: SessionNews;
  readonly clock?: Clock;
  /** Told when a job throws; it runs again at its next time. */
  readonly onError: (error: unknown) => void;
}

/** So many workers may die in a row while they run a session job. */
const MAX_LOSSES = 3;

/** Runs a session job once, unless it was stopped, or has ended too many workers: then it is ended, and may be started again. */
export function createSessionJobRunner({ features, state, news, clock = Date.now, onError }: SessionJobRunnerDeps): SessionJobHandler {
  return async ({ sessionId, name, runId, account }, losses) => {
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
    const told: Promise<void>[] = [];
    const tell = (message: { readonly method: string; readonly params: JsonObject }): void => {
      told.push(news.tell(sessionId, message).catch(onError));
    };
    const context: SessionJobContext = {
      session: { ...sessionValues(state, sessionId, account), listChanged: (list) => tell(listChangedNews(list)) },
      log: (level, data, logger) => tell(logNews(level, data, logger)),
      resourceUpdated: (uri) => tell(resourceUpdatedNews(uri)),
    };
    try {
      await job.run(context);
    } catch (error) {
      onError(error);
    }
    await Promise.all(told);
    return { againAt: clock() + job.everyMs };
  };
}
