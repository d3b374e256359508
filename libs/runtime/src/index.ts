export { hashOf } from './log-fields.js';
export { type LogDestination, logDestination, type LogFormat } from './log-destination.js';
export { logOptions, type LogOptions } from './log-options.js';
export { watchStrayErrors, type StrayErrorOptions } from './stray-errors.js';
