/**
 * An entry of the package for tests of sessions and of backends: the contracts, and the parts that such a test looks into.
 * Nothing here is stable, and only tests import it: the contracts take vitest, which is their caller's.
 */
export { NO_VERSION } from '../ports/owner-records.js';
export type { SessionContractBackend } from './contract-backend.js';
export { checkSessionContracts } from './contracts.js';
