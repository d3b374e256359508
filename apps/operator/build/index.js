export { readConfig } from './config.js';
export { openOperator } from './open-operator.js';
//# sourceMappingURL=index.js.map