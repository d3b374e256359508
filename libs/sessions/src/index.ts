export { hashOfAccount } from './account-hash.js';
export type { Store, SessionStores, SessionLimits } from './whole-store.js';
export { type FeatureList, listChangedNotification, logNotification, resourceUpdatedNotification } from './client-notifications.js';
export { laneRulesOf } from './lane-rules-of.js';
export { reportedWarnings, type ReportedWarning, WARNING_CODES, watchDeployment } from './deployment-warnings.js';
export { createOwnerContexts } from './owner-contexts.js';
export {
  ANONYMOUS_OWNER,
  callerOfOwner,
  type IssuedName,
  LOCAL_OWNER,
  ownerOfAnonymousSession,
  ownerOfClient,
  ownerOfSecretHash,
  ownerOfSubject,
  ownerOfUser,
  tenantOf,
} from '@longhaul/tasks';
export { createOwnerStore, type OwnerStore } from './owner-store.js';
export type { Allotment, AllotmentRequest, Allotments } from './ports/allotments.js';
export type { HeldEpoch, Hold, HoldRequest, Holds, TakenHold } from './ports/holds.js';
export type { OwnerRecords } from './ports/owner-records.js';
export {
  MAX_REVOCATIONS,
  type NamedCaller,
  OPERATORS_OWNER,
  type Revocation,
  RevocationIndex,
  Revocations,
  type RevokedPrincipal,
  REVOKED_WITHIN_MS,
  textOfPrincipal,
} from './revocations.js';
export type { ProcessReports } from './ports/process-reports.js';
export type { OpenSession, OpenSessions, SessionSlots } from './ports/session-slots.js';
export type { SessionState } from './ports/session-state.js';
export type { Signals } from './ports/signals.js';
export type { RunnableSessionJob, SessionJobCatalogue, SessionJobContext, SessionJobRun } from './session-job.js';
export { createSessionJobRunner, type SessionJobRunnerDeps } from './session-job-runner.js';
export { createSessionJobs, type SessionJobs, type SessionJobsDeps } from './session-jobs.js';
export type { ClientNotification, SessionNotifications } from './session-notifications.js';
export { subscriptionTo, SUBSCRIPTIONS } from './session-value-names.js';
export { sessionValues, type StoredSession } from './session-values.js';
export { limitOr, ownerBytesOf, ownerLimitsOf } from './owner-limits.js';
export { Tenants, type TenantsOptions } from './tenants.js';
