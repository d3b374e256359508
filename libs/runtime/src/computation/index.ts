export { ComputationFailed, type ComputationLimits, computeInProcess } from './compute-in-process.js';
export { FairSlots } from './fair-slots.js';
export { serveComputation } from './serve-computation.js';
