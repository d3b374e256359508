/** Exports `@longhaul/agent/evals`: tests of agents, and how they are run. */
export { type EvalCase, type EvalFile, parseEvals } from './eval-file.js';
export { type EvalReport, type EvalResult, runEvals, type RunEvalsOptions } from './run-evals.js';
