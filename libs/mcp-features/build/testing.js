/** An entry of the package for tests of features: durable tools that run in memory, and requests that never came. */
export { VirtualClock } from '@longhaul/tasks/simulation';
export { fakeClient, fakeRequest, FakeSession } from './testing/fakes.js';
export { runTool } from './testing/run-tool.js';
export { accept, cancel, decline, noAnswer, } from './testing/scripts.js';
export { toolOf } from './testing/tool-of.js';
export { ToolFailure } from './testing/tool-run.js';
//# sourceMappingURL=testing.js.map