export type { Backend, SessionBackend, SessionLimits } from './backend.js';
export { type FeatureList, listChangedNotification, logNotification, resourceUpdatedNotification } from './client-notifications.js';
export { createMemoryBackend, type MemoryBackendOptions } from './memory/backend.js';
export { ANONYMOUS_OWNER, LOCAL_OWNER, ownerOfSecretHash, ownerOfAnonymousSession, ownerOfUser } from './owner-names.js';
export {
  type CollectionOptions,
  createOwnerStore,
  type Decision,
  type OwnerCollection,
  type OwnerCollections,
  type OwnerStore,
  type Records,
  type RecordUpdate,
} from './owner-store.js';
export type { OwnerRecords, RecordOwner } from './ports/owner-records.js';
export type { SessionState } from './ports/session-state.js';
export type { Signals } from './ports/signals.js';
export { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from './redis/backend.js';
export type { RunnableSessionJob, SessionJobCatalogue, SessionJobContext, SessionJobRun } from './session-job.js';
export { createSessionJobRunner, type SessionJobRunnerDeps } from './session-job-runner.js';
export { createSessionJobs, type SessionJobs, type SessionJobsDeps } from './session-jobs.js';
export type { ClientNotification, SessionNotifications } from './session-notifications.js';
export { subscriptionTo, SUBSCRIPTIONS } from './session-value-names.js';
export { sessionValues, type StoredSession } from './session-values.js';
