import { ownerRecordsContract } from './owner-records.contract.js';
import { sessionNotificationsContract } from './session-notifications.contract.js';
import { sessionPlacesContract } from './session-places.contract.js';
import { sessionStateContract } from './session-state.contract.js';
import { signalsContract } from './signals.contract.js';
/** Declares the tests of all contracts for a backend: one that keeps to them can take the place of any other. */
export function checkSessionContracts(backend) {
    ownerRecordsContract(backend);
    sessionNotificationsContract(backend);
    sessionPlacesContract(backend);
    sessionStateContract(backend);
    signalsContract(backend);
}
//# sourceMappingURL=contracts.js.map