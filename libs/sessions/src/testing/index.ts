/**
 * Exports the contracts, and the parts that tests of sessions and of stores look into. Nothing here is stable, and only tests import it:
 * the contracts take vitest, which is their caller's.
 */
export { NO_VERSION } from '../ports/owner-records.js';
export type { SessionContractStore } from './contract-store.js';
export { checkSessionContracts } from './contracts.js';
