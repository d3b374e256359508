export { type ClientCapability, hasCapability, missingCapabilities } from './authoring/client-capability.js';
export {
  type ClientContext,
  type ClientOperations,
  type Log,
  type Logs,
  type SampleOptions,
  type SampleToolOptions,
  withClientContext,
} from './authoring/client-context.js';
export { type Completer, type Completers, type Completion, completionOf } from './authoring/completion.js';
export { definePrompt, type Prompt, type PromptReturn, type PromptSpec } from './authoring/define-prompt.js';
export {
  defineResourceTemplate,
  type ResourceTemplate,
  type ResourceTemplateSpec,
  type UriVariables,
  type VariableNames,
} from './authoring/define-resource-template.js';
export { defineResource, type Resource, type ResourceSpec } from './authoring/define-resource.js';
export { defineSessionJob, type SessionJob, type SessionJobContext, type SessionJobSpec } from './authoring/define-session-job.js';
export {
  type ArgumentsOf,
  defineTool,
  type DurableToolSpec,
  type InlineToolSpec,
  type InputSchema,
  invalidArguments,
  type RawSchema,
  type ToolReturn,
} from './authoring/define-tool.js';
export { featuresOf } from './authoring/decorators/features-of.js';
export { McpComplete, type PromptCompletion, type VariableCompletion } from './authoring/decorators/mcp-complete.js';
export { McpList } from './authoring/decorators/mcp-list.js';
export { McpPrompt, type PromptDecoration } from './authoring/decorators/mcp-prompt.js';
export { McpResource, type ResourceDecoration, type TemplateDecoration } from './authoring/decorators/mcp-resource.js';
export { type DurableToolDecoration, type InlineToolDecoration, McpTool } from './authoring/decorators/mcp-tool.js';
export { createFeatureRegistry, type FeatureListings, type FeatureRegistry, type FoundResource } from './authoring/feature-registry.js';
export { logFeatureErrors } from './authoring/feature-errors.js';
export type { Feature, Needs } from './authoring/feature.js';
export { type FormAnswer, withAnswerChecked } from './authoring/form-schema.js';
export type { HeaderParam } from './authoring/header-params.js';
export type { Listings } from './authoring/listings.js';
export type { Announcements, AskedMethod, FeatureList, RequestContext, RequestInfo, SessionContext } from './authoring/request-context.js';
export { stated, type Stated } from './authoring/stated.js';
export type { ResourceReturn } from './authoring/resource-result.js';
export { type LeftOut, statelessFeatures } from './authoring/stateless-features.js';
export type { CheckedArguments, DurableContext, DurableTool, InlineTool, TaskOptions, Tool } from './authoring/tool.js';
export { TerminalError } from '@longhaul/tasks';
export type { ToolPart, ToolParts } from './authoring/tool-parts.js';
export { describeIssues, errorResult, ProtocolError, resultOrError, toCallToolResult } from './authoring/tool-result.js';
export { MAX_URL_ROUNDS, requiredElicitations, UrlElicitationRequired } from './authoring/url-elicitation-required.js';
export { everything, type EverythingOptions } from './everything/everything.js';
export { instructions } from './everything/instructions.js';
export { type FeatureSources, loadFeatures } from './load-features.js';
export { listChangedNews, logNews, resourceUpdatedNews } from './sessions/client-news.js';
export { createSessionJobs, type SessionJobs, type SessionJobsDeps } from './sessions/session-jobs.js';
export { createSessionJobRunner, type SessionJobRunnerDeps } from './sessions/session-job-runner.js';
export { subscriptionTo, SUBSCRIPTIONS } from './sessions/session-value-names.js';
export { sessionValues, type StoredSession } from './sessions/session-values.js';
