/** A worker's side of session jobs. */
import type { Clock, JsonObject, SessionJobHandler, SessionNews, SessionState } from '@longhaul/tasks';
import type { SessionJobContext } from '../authoring/define-session-job.js';
import type { FeatureRegistry } from '../authoring/feature-registry.js';
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

/** Runs a session job once, unless it was stopped. */
export function createSessionJobRunner({ features, state, news, clock = Date.now, onError }: SessionJobRunnerDeps): SessionJobHandler {
  return async ({ sessionId, name, runId }) => {
    if ((await state.get(sessionId, runningJob(name))) !== runId) return {};
    const job = features.sessionJob(name);
    if (job === undefined) {
      // It does not run, so it can be started again when some worker knows it.
      await state.delete(sessionId, runningJob(name));
      onError(new RangeError(`There is no session job "${name}" any more.`));
      return {};
    }
    const told: Promise<void>[] = [];
    const tell = (message: { readonly method: string; readonly params: JsonObject }): void => {
      told.push(news.tell(sessionId, message).catch(onError));
    };
    const context: SessionJobContext = {
      session: { ...sessionValues(state, sessionId), listChanged: (list) => tell(listChangedNews(list)) },
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
