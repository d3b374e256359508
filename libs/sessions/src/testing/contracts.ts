import type { SessionContractBackend } from './contract-backend.js';
import { ownerRecordsContract } from './owner-records.contract.js';
import { sessionNotificationsContract } from './session-notifications.contract.js';
import { sessionPlacesContract } from './session-places.contract.js';
import { sessionStateContract } from './session-state.contract.js';
import { signalsContract } from './signals.contract.js';
import { clientResponsesContract } from './client-responses.contract.js';
import { deliveryLeasesContract, heartbeatsContract } from './delivery-leases.contract.js';
import { outcomesContract } from './outcomes.contract.js';
import { ratesContract } from './rates.contract.js';
import { sessionsContract } from './sessions.contract.js';
import { streamsContract } from './streams.contract.js';

/** Declares the tests of all contracts for a backend: one that keeps to them can take the place of any other. */
export function checkSessionContracts(backend: SessionContractBackend): void {
  ownerRecordsContract(backend);
  sessionNotificationsContract(backend);
  sessionPlacesContract(backend);
  sessionStateContract(backend);
  signalsContract(backend);
  clientResponsesContract(backend);
  deliveryLeasesContract(backend);
  heartbeatsContract(backend);
  outcomesContract(backend);
  ratesContract(backend);
  sessionsContract(backend);
  streamsContract(backend);
}
