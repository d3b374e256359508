/** Exports, as a separate entry of the package, the parts that a store is written with. Only stores import it. */
export { sealedHolds } from './at-rest/sealed-holds.js';
export { sealedRecords } from './at-rest/sealed-records.js';
export { sealedReports } from './at-rest/sealed-reports.js';
export { sealedSignals } from './at-rest/sealed-signals.js';
export { keptValue, valueFrom } from './at-rest/session-value.js';
export { featureChannel, featureSignals } from './feature-signals.js';
export { allotted } from './ports/allotments.js';
export { LOCAL_CHANNELS } from './local-channels.js';
export {
  type ChangesVerdict,
  type CollectionRef,
  type CollectionVersion,
  type FoundRecord,
  NO_VERSION,
  RECORD_LIMITS,
  type RecordChange,
  type RecordChanges,
  type RecordPage,
  bytesOfRecord,
  tooManyCollections,
} from './ports/owner-records.js';
export { checkReport, type ProcessReports, REPORT_LIMITS } from './ports/process-reports.js';
export { namedAccount, openSession } from './ports/session-slots.js';
export { SESSION_STATE_TTL_MS, accountFull, sessionFull } from './ports/session-state.js';
export { createSessionNotifications } from './session-notifications.js';
