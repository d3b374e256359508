export type { Operator } from './access/operator.js';
export { type OperatorConfig, readConfig } from './config.js';
export { type OpenedOperator, openOperator, type OperatorParts } from './open-operator.js';
