export type * from './answers.js';
export { type OperatorConfig, readConfig } from './config.js';
export { type OpenedOperator, openOperator, type OperatorParts } from './open-operator.js';
