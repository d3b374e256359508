export { defineTool, invalidArguments, type DurableToolSpec, type InlineToolSpec, type ToolReturn } from './authoring/define-tool.js';
export { createFeatureRegistry, type FeatureRegistry } from './authoring/feature-registry.js';
export type { CheckedArguments, DurableTool, InlineTool, RequestContext, Tool } from './authoring/tool.js';
export { errorResult, ProtocolError, toCallToolResult } from './authoring/tool-result.js';
export { everything, type EverythingOptions } from './everything/everything.js';
export { type FeatureSources, loadFeatures } from './load-features.js';
