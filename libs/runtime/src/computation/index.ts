export { ComputationFailed, type ComputationLimits, computeInProcess } from './compute-in-process.js';
export { OwnerTurns } from './owner-turns.js';
export { serveComputation } from './serve-computation.js';
