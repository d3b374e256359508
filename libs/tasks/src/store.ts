/** Exports, as a separate entry of the package, the parts that a store is written with. Only stores import it. */
export { openAtRest } from './at-rest/encryption.js';
export { type TaskTexts, endFrom, eventsFrom, outcomeFrom, textsOf, webhookFrom } from './at-rest/task-texts.js';
export { scheduleEventFrom, scheduleFrom, scheduleTexts } from './at-rest/schedule-texts.js';
export { viewFrom } from './at-rest/view-text.js';
export { outcomeBy } from './domain/evolve.js';
export { retentionOf } from './domain/projections/task-view.js';
export { StoreUnreached } from './errors.js';
export { DEFAULT_KEEP_CONTINUED_MS } from './limits.js';
export { type Appended, type ChainState, type ChainedText, type KeptRecord, NO_HEAD } from './ports/audit-log.js';
export { dataKeyFrom, dataKeyText } from './ports/data-keys.js';
export { type EndedTask, type HistoryPage, type KnownTask, mustFit, type Retirement, visibleTo } from './ports/event-store.js';
export { givenBackIdOf, jobIdsOf, soughtIdsOf } from './ports/job-id.js';
export { PRIORITY_STEP_MS, startsOf, weightOf } from './ports/lane-rules.js';
export { groupNameOf, groupNamed, mergedTask } from './ports/parked-tasks.js';
export { pausedWork } from './ports/queue-pauses.js';
export { readHistory } from './ports/read-history.js';
export { NAMED, fits } from './ports/operator-index.js';
export { SPARE_SHARE, UNLIMITED, type WriteKind } from './ports/store-capacity.js';
export { type StoredEvent, storedBytes } from './ports/stored-event.js';
export type { AgendaVerdict, OnTasks, Suspicion, TakenEntries } from './ports/task-agenda.js';
export { createLargeValues, type LargeValuesOptions } from './at-rest/large-values.js';
export { changeFrom, changeText } from './ports/task-change.js';
export {
  type Account,
  type HeldClaim,
  KEPT_BYTES,
  keptBytesOf,
  type KeyClaim,
  type LimitRefusal,
  newestFirst,
  type Registration,
  type RegistrationVerdict,
} from './ports/task-index.js';
export { DEFAULT_LOCK_TIMES, JobLost, type LockTimes, REDELIVERY_DELAY_MS, type SoughtJob } from './ports/task-queue.js';
export { CUT_SHARE, DEFAULT_WORKER_TIMES, type WorkerStanding, detailsOf, storedWorker } from './ports/worker-registry.js';
export {
  RECIPIENT_STANDINGS,
  MAX_ENDED_WEBHOOKS,
  MAX_LISTED_RECIPIENTS,
  MAX_PENDING_WEBHOOKS,
  type PendingWebhook,
  type StoredWebhook,
  type TakenRecipient,
  WEBHOOK_TTL_MS,
} from './ports/webhook-outbox.js';
export { groupOf } from './write/lane.js';
export { countedEvents, TaskTally } from './write/task-tally.js';
