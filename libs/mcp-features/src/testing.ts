/**
 * Exports the package's entry for tests of features: durable tools that run in memory, and simulated requests.
 *
 * @module @longhaul/mcp-features/testing
 */
export { VirtualClock } from '@longhaul/tasks/simulation';
export { type FakeAnswers, type FakeClient, fakeClient, fakeRequest, type FakeRequestOptions, FakeSession } from './testing/fakes.js';
export { runTool, type RunToolOptions } from './testing/run-tool.js';
export {
  accept,
  type Answer,
  type Answers,
  cancel,
  decline,
  noAnswer,
  type Question,
  type Sample,
  type Samples,
  type SampleRequest,
} from './testing/scripts.js';
export { toolOf } from './testing/tool-of.js';
export { ToolFailure, type ToolRun } from './testing/tool-run.js';
export type { CalledTools, StubbedTool } from './testing/called-tools.js';
