import { allotmentsContract } from './allotments.contract.js';
import type { SessionContractStore } from './contract-store.js';
import { holdsContract } from './holds.contract.js';
import { ownerRecordsContract } from './owner-records.contract.js';
import { processReportsContract } from './process-reports.contract.js';
import { sessionNotificationsContract } from './session-notifications.contract.js';
import { sessionSlotsContract } from './session-slots.contract.js';
import { sessionStateContract } from './session-state.contract.js';
import { signalsContract } from './signals.contract.js';
import { clientResponsesContract } from './client-responses.contract.js';
import { deliveryLeasesContract, heartbeatsContract } from './delivery-leases.contract.js';
import { outcomesContract } from './outcomes.contract.js';
import { ratesContract } from './rates.contract.js';
import { sessionsContract } from './sessions.contract.js';
import { streamsContract } from './streams.contract.js';

/** Declares the tests of all contracts for a store: a store that passes them can replace any other. */
export function checkSessionContracts(store: SessionContractStore): void {
  allotmentsContract(store);
  holdsContract(store);
  ownerRecordsContract(store);
  processReportsContract(store);
  sessionNotificationsContract(store);
  sessionSlotsContract(store);
  sessionStateContract(store);
  signalsContract(store);
  clientResponsesContract(store);
  deliveryLeasesContract(store);
  heartbeatsContract(store);
  outcomesContract(store);
  ratesContract(store);
  sessionsContract(store);
  streamsContract(store);
}
