/** @module @longhaul/mcp-features */
export { type AskedMethod, type CallerAuth, type ClientCapability, hasCapability } from '@longhaul/tasks';
export { APPROVAL } from './approval.js';
export {
  type ClientContext,
  type ClientOperations,
  type Log,
  type Logs,
  type SampleOptions,
  type SampleToolOptions,
  withClientContext,
} from './client-context.js';
export { callableTool } from './callable-tool.js';
export type { CallOptions } from '@longhaul/tasks';
export { adviceForClients } from './client-advice.js';
export { type Completer, type Completers, type Completion, completionOf } from './completion.js';
export { definePrompt, type Prompt, type PromptReturn, type PromptSpec } from './define-prompt.js';
export {
  defineResourceTemplate,
  type ResourceTemplate,
  type ResourceTemplateSpec,
  type UriVariables,
  type VariableNames,
} from './define-resource-template.js';
export { defineResource, type Resource, type ResourceSpec } from './define-resource.js';
export { defineSessionJob, type SessionJob, type SessionJobSpec } from './define-session-job.js';
export {
  type ArgumentsOf,
  defineTool,
  type DurableToolSpec,
  type InlineToolSpec,
  type InputSchema,
  invalidArguments,
  type RawSchema,
  type ToolReturn,
} from './define-tool.js';
export { featuresOf } from './decorators/features-of.js';
export { McpComplete, type PromptCompletion, type VariableCompletion } from './decorators/mcp-complete.js';
export { McpList } from './decorators/mcp-list.js';
export { McpPrompt, type PromptDecoration } from './decorators/mcp-prompt.js';
export { McpResource, type ResourceDecoration, type TemplateDecoration } from './decorators/mcp-resource.js';
export { type DurableToolDecoration, type InlineToolDecoration, McpTool } from './decorators/mcp-tool.js';
export {
  changedRegistry,
  createFeatureRegistry,
  type FeatureListings,
  type FeatureRegistry,
  type FoundResource,
} from './feature-registry.js';
export { logFeatureErrors } from './feature-errors.js';
export { hasAtMost, parseUntrusted } from './parse-untrusted.js';
export { presentFeature } from './feature-scope.js';
export type { Feature } from './feature.js';
export { type FeatureSource, joinedInstructions } from './feature-source.js';
export type { Needs } from './needs.js';
export { type FormAnswer, formOfOthers, requireForm } from './form-schema.js';
export type { HeaderParam } from './header-params.js';
export type { HoldsScopes, Listings } from './listings.js';
export { schemaPartAt } from './recursive-schema.js';
export type { Announcements, RequestContext, RequestInfo, SessionContext } from './request-context.js';
export { omitUndefined, type Stated } from './omit-undefined.js';
export type { ResourceReturn } from './resource-result.js';
export { type LeftOut, statelessFeatures } from './stateless-features.js';
export type {
  CalledResult,
  CallTool,
  CheckedArguments,
  DurableContext,
  DurableTool,
  InlineTool,
  TaskOptions,
  Tool,
  TypedTool,
} from './tool.js';
export { type InterruptedTask, TerminalError } from '@longhaul/tasks';
export { type TaskTimes, taskTimesOf } from './task-times.js';
export { serviceNamed, standingOf, type StartOfService, taskOfService } from './service-tasks.js';
export { type StartOfTool, taskWithoutClient, type UnfitStart } from './task-without-client.js';
export type { ToolPart, ToolParts } from './tool-parts.js';
export { describeIssues, errorResult, ProtocolError, resultOrError, toCallToolResult } from './tool-result.js';
export { MAX_URL_ROUNDS, requiredElicitations, UrlElicitationRequired } from './url-elicitation-required.js';
export { logWorkflowWarnings } from './workflow-guard.js';
export { collectionsOfDeployment, type GatewayParts, type LoadedFeatures, loadFeatures, type ProcessParts } from './load-features.js';
export type { SessionJobContext } from '@longhaul/sessions';
export type { CollectionOptions, Decision, OwnerCollection, OwnerCollections, OwnerContext, Records, RecordUpdate } from '@longhaul/tasks';
