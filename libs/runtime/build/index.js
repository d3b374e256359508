export { hashOf } from './log-fields.js';
export { logDestination } from './log-destination.js';
export { logOptions } from './log-options.js';
export { watchStrayErrors } from './stray-errors.js';
//# sourceMappingURL=index.js.map