export { hashOfAccount } from './account-hash.js';
export { listChangedNotification, logNotification, resourceUpdatedNotification } from './client-notifications.js';
export { createMemoryBackend } from './memory/backend.js';
export { laneRulesOf } from './lane-rules-of.js';
export { openBackend } from './open-backend.js';
export { createOwnerContexts } from './owner-contexts.js';
export { ANONYMOUS_OWNER, callerOfOwner, LOCAL_OWNER, ownerOfAnonymousSession, ownerOfClient, ownerOfSecretHash, ownerOfSubject, ownerOfUser, tenantOf, } from '@longhaul/tasks';
export { createOwnerStore } from './owner-store.js';
export { MAX_REVOCATIONS, OPERATORS_OWNER, RevocationIndex, Revocations, REVOKED_WITHIN_MS, textOfPrincipal, } from './revocations.js';
export { createSessionJobRunner } from './session-job-runner.js';
export { createSessionJobs } from './session-jobs.js';
export { subscriptionTo, SUBSCRIPTIONS } from './session-value-names.js';
export { sessionValues } from './session-values.js';
export { limitOr, ownerBytesOf, ownerLimitsOf } from './owner-limits.js';
export { Tenants } from './tenants.js';
export { openSqliteBackend } from './sqlite/backend.js';
//# sourceMappingURL=index.js.map