export { type ClientCapability, hasCapability, missingCapabilities } from './authoring/client-capability.js';
export { defineTool, invalidArguments, type DurableToolSpec, type InlineToolSpec, type ToolReturn } from './authoring/define-tool.js';
export { createFeatureRegistry, type FeatureRegistry } from './authoring/feature-registry.js';
export type { CheckedArguments, DurableTool, InlineTool, RequestContext, TaskOptions, Tool } from './authoring/tool.js';
export type { ToolListings } from './authoring/tool-listings.js';
export { errorResult, ProtocolError, toCallToolResult } from './authoring/tool-result.js';
export { UrlElicitationRequired } from './authoring/url-elicitation-required.js';
export { everything, type EverythingOptions } from './everything/everything.js';
export { type FeatureSources, loadFeatures } from './load-features.js';
