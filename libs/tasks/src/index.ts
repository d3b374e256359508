export type { CallbackStore } from './ports/callback-store.js';
export type { BlobStore } from './ports/blob-store.js';
export type { LargeValues } from './ports/large-values.js';
export type { LargeValue } from './domain/large-value.js';
export { LARGE_RESULT_PART } from './at-rest/large-results.js';
export type { StoreHealth, TaskStore } from './ports/task-store.js';
export { AS_IT_IS, openByDesign, type PayloadCodec, PLAIN, type Place, type Seal, whenReady } from './ports/payload-codec.js';
export { type KeyUsage, keyUsages, rewrap, type Rewrapped } from './at-rest/rewrap.js';
export type { EncryptionKeys } from './at-rest/encryption.js';
export type { DataKeyRecord, DataKeyStore } from './ports/data-keys.js';
export {
  APP_MIME_TYPE,
  type ClientCapability,
  declarationOf,
  hasCapability,
  missingCapabilities,
  type QuestionKind,
} from './domain/client-capability.js';
export type { Clock } from './ports/clock.js';
export { addressAccount, isAddressAccount } from './write/accounts.js';
export { type CallerKeys, callerKeys } from './write/caller-keys.js';
export { groupsOfTenant, laneOf } from './write/lane.js';
export {
  ANONYMOUS_OWNER,
  LOCAL_OWNER,
  callerOfOwner,
  ownerOfAnonymousSession,
  ownerOfClient,
  ownerOfSecretHash,
  ownerOfSubject,
  ownerOfUser,
  tenantOf,
  type IssuedName,
} from './domain/owner-names.js';
export type {
  CollectionOptions,
  Decision,
  OwnerCollection,
  OwnerCollections,
  OwnerContext,
  OwnerContexts,
  Records,
  RecordUpdate,
} from './ports/owner-context.js';
export type { AbandonedHow, ContinuedBy, Thrown, Trial } from './domain/events.js';
export type {
  CallerAuth,
  ClientInfo,
  Generation,
  InputAnswer,
  Progress,
  RecordOwner,
  TaskCreatedData,
  TaskEvent,
  TaskFailure,
} from './domain/events.js';
export { askedAgain, MAX_ASKED_AGAIN, presentParams } from './domain/asked-again.js';
export { fieldKindOf, type FormValue, isWithin, range } from './domain/field-kind.js';
export { argumentAt, type ArgumentValue, isTooLong, MAX_SEARCHABLE, MAX_SEARCHABLE_BYTES } from './domain/searchable.js';
export { JsonRpcCode } from './domain/json-rpc-code.js';
export { isJsonObject, type Json, type JsonObject, type RecordedError } from './domain/json.js';
export type { Outcome } from './domain/state.js';
export { callSite, unwrapped, wrapOperations } from './call-site.js';
export { notJson } from './replay/recordable.js';
export { thrownText } from './thrown-text.js';
export { readableThrown } from '@longhaul/runtime/readable-thrown';
export { checkRetryPolicy } from './replay/retry-delay.js';
export type { ChildBond, ChildOutcome, ParentLink } from './domain/child-events.js';
export type { OpenChild } from './domain/projections/open-children.js';
export { ASKED_BY } from './write/family.js';
export { isTaskId, type TaskId } from './domain/task-id.js';
export { durationOf, LONGEST_MS, type Milliseconds, wholeMs } from './domain/milliseconds.js';
export { type ChildBounds, MAX_RESULT_BYTES } from './limits.js';
export { remembered } from './remembered.js';
export { checkKey, cutText, FIELD_LIMITS, tooLong } from './field-limits.js';
export { operationNamed, optionsOf, requireFunction, requireObject } from './given.js';
export { shown } from './domain/shown.js';
export { FORMATS } from './formats.js';
export {
  CALL_ENDPOINT,
  type TaskWebhook,
  WEBHOOK_CONTENTS,
  WEBHOOK_EVENTS,
  type WebhookContent,
  type WebhookEvent,
} from './domain/webhook-kinds.js';
export type { WebhookMessage } from './domain/projections/webhooks.js';
export type {
  KeptWebhook,
  RecipientCounts,
  RecipientStanding,
  TaskWebhooks,
  WebhookChange,
  WebhookRecipient,
  WebhookOutbox,
  WebhookRecord,
  WebhookTry,
} from './ports/webhook-outbox.js';
export type {
  Overlap,
  ScheduleDefinition,
  ScheduleEvent,
  ScheduleOrigin,
  ScheduleRule,
  SkipReason,
  StartCause,
} from './domain/schedules/schedule-events.js';
export type { ScheduleState } from './domain/schedules/schedule-state.js';
export type {
  KeptSchedule,
  KeptScheduleEvent,
  ScheduleAppend,
  ScheduleAppended,
  ScheduleLimits,
  SchedulePage,
  ScheduleStore,
  TakenSchedules,
} from './ports/schedule-store.js';
export { isStoreError, TASK_ERRORS, TaskError, TerminalError, type TaskErrorCode } from './errors.js';
export { classOfStep, whatHappened } from './domain/projections/failure-cause.js';
export { ROW_STATUSES, type RowStatus, rowOf, statusOf, type TaskRow, TOOL_ERROR } from './domain/projections/task-row.js';
export { type CallSpan, type PassEnding, type PassSpan, type Timeline, timelineOf } from './domain/projections/timeline.js';
export type { OperationSpan, TrySpan } from './domain/projections/timeline-operations.js';
export { WAIT_REASONS, type WaitSpan } from './domain/projections/timeline-waits.js';
export { OPERATION_KINDS, type OperationKind } from './domain/operation-kinds.js';
export { EVENT_KINDS, type OperationEvent } from './domain/event-kinds.js';
export { operationOfKey } from './replay/context.js';
export {
  COUNT_NAMES,
  COUNTER_STEPS,
  type Count,
  type CounterLevel,
  type CounterPeriod,
  type CounterStep,
  type CountName,
  type Counts,
  type TaskCounters,
} from './ports/task-counters.js';
export { MIN_RETENTION_MS, type PendingInput, type TaskView } from './domain/projections/task-view.js';
export type {
  ConsumeOptions,
  JobDelivery,
  JobHandler,
  JobVerdict,
  QueuedTaskJob,
  SideJob,
  SideJobHandler,
  TaskConsumer,
  TaskJob,
  TaskQueue,
} from './ports/task-queue.js';
export {
  type AskedMethod,
  isKept,
  kindsNotTaken,
  missingCapability,
  requireAsked,
  requireCapability,
  requireSession,
  takesRequest,
} from './replay/required-capability.js';
export { mapOperation } from './replay/operation-promise.js';
export { clientRequestParams, elicitationCompleteParams, logParams, progressParams } from './replay/notification-params.js';
export type { RetryPolicy, StepContext, StepOptions } from './replay/step-context.js';
export type {
  Call,
  CallOptions,
  ClientTaskOptions,
  ClientTaskRequest,
  ClientTaskResult,
  ClientTaskStatus,
  ProgressReport,
  SessionValues,
  TaskContext,
} from './replay/task-context.js';
export type { Recordable } from './replay/recordable.js';
export type { InterruptedTask, KeyedTask, LimitByKey, SharedLimit, Workflow, WorkflowRegistry } from './replay/workflow.js';
export { checkedAnswer } from './engine/record-answer.js';
export { type GivenSignal } from './engine/send-signal.js';
export { SIGNALS_PATH } from './engine/callbacks.js';
export type { NewCallback } from './replay/signal-door.js';
export { problemOfSpending, type Spending, stricterBudget } from './domain/spending.js';
export { isBudgetExceeded } from './replay/budget-error.js';
export type { SpendContext } from './replay/spend-context.js';
export type { AllOptions, FlowContext, Saga, Undo } from './replay/flow-context.js';
export type { Callback, CallbackOptions, SignalContext, WaitOptions } from './replay/signal-context.js';
export type { SignalSchema } from './signals/author-schema.js';
export { signatureProblem, type SignedHeaders } from './signals/signature.js';
export { MAX_KEPT_SIGNALS, MAX_SIGNAL_BYTES } from './domain/signals.js';
export type { AwaitedSignal, SignalsOfTask } from './domain/projections/signals-in-view.js';
export type { AnswerDoor, Detached, ListOptions } from './engine/task-service.js';
export { mayLeaveSomething } from './engine/clean-ups.js';
export { decodeCursor, encodeCursor } from './engine/list-tasks.js';
export { type StatsPeriod, type StatsSpan, STATS_SPANS, type TaskCounts, type TaskStats, type WaitingAges } from './engine/task-stats.js';
export { createOperatorService, type OperatorServiceOptions } from './engine/create-operator-service.js';
export type {
  EventPage,
  ExportedHistory,
  ListedTask,
  NumberedEvent,
  OpenQuestion,
  OperatedWorker,
  OperatorAct,
  OperatorPage,
  OperatorQuery,
  OperatorSearch,
  OperatorService,
  OperatorTask,
  QuestionPage,
  RetryFrom,
  RetryRequest,
  FailureSample,
  SearchStep,
  Standings,
} from './engine/operator-service.js';
export { MAX_IMPORT_BYTES } from './engine/import-task.js';
export { type WaitingReason, waitingReasonOf } from './domain/projections/waiting-reason.js';
export { type ForkOptions, forkTask } from './engine/fork-task.js';
export { taskIdFrom } from './engine/retry-task.js';
export type { ListedWebhook } from './engine/list-webhooks.js';
export { WebhookDispatcher, type WebhookReport } from './engine/webhooks/webhook-dispatcher.js';
export type { SendOutcome, WebhookDelivery, WebhookSender } from './engine/webhooks/send-webhook.js';
export { type Reconciled, reconcileSchedules } from './engine/schedules/reconcile-schedules.js';
export { SCHEDULE_ERRORS, ScheduleError, type ScheduleErrorCode } from './engine/schedules/schedule-errors.js';
export type { ScheduleReport } from './engine/schedules/schedule-look.js';
export {
  createScheduleService,
  type GivenSchedule,
  type ScheduleDetails,
  type ScheduleService,
} from './engine/schedules/schedule-service.js';
export { openScheduleStarter, type PreparedStart, ScheduleStarter, type StartRequest } from './engine/schedules/schedule-starter.js';
export { taskWebhooks } from './engine/webhooks/task-webhooks.js';
export { createTaskService, type TaskServiceOptions } from './engine/create-task-service.js';
export { Suspects, type SuspectsOptions, type TrialEnd, type TrialProcesses, type TrialTerms } from './engine/suspects.js';
export { logTasks, type OnTask, withoutMessage } from './write/task-report.js';
export type { OperatorFilter } from './engine/search-keys.js';
export { searchText, type TextMatch, type TextPage, type TextPosition, type TextSearch } from './engine/search-text.js';
export { correctRows, type RowRepairStore } from './engine/row-repair.js';
export type { CallableTool, ChildOptions } from './engine/start-child.js';
export { LargeValueSweep } from './engine/large-value-sweep.js';
export { TaskRunner, type TaskRunnerOptions } from './engine/task-runner.js';
export type { StuckPass } from './engine/stuck-passes.js';
export type {
  CallOfTool,
  Caller,
  UnsentNotifications,
  TaskNotification,
  TaskPage,
  TaskService,
  TaskSnapshot,
} from './engine/task-service.js';
export { DEFAULT_KEEP_TIMES, type KeepTimes } from './ports/keep-times.js';
export type { AppendRequest, AppendResult, DeliveryMark, EventStore, TaskChange, TaskReader, Unsubscribe } from './ports/event-store.js';
export {
  type FailureGroup,
  type FailureTimes,
  HOUR_MS,
  MAX_CANDIDATES,
  type OperatorIndex,
  type RowCounts,
  type TaskFilter,
  type TaskRowPage,
} from './ports/operator-index.js';
export { type PausedWork, type PauseName, pauseName, type QueuePauses } from './ports/queue-pauses.js';
export { type LaneRules, type LimitOfKey, MOST_PRIORITY, NO_RULES, problemOfPriority } from './ports/lane-rules.js';
export { keysOfTasks } from './engine/keys-of-tasks.js';
export type { OverriddenTenants, TenantOverrides } from './ports/tenant-overrides.js';
export type { GivenBack, ParkedGroup, ParkedTask, ParkedTasks } from './ports/parked-tasks.js';
export type { ObservedAppend, ObservedStep, Repair, TaskObserver } from './ports/task-observer.js';
export type { StoreCapacity } from './ports/store-capacity.js';
export {
  AUDIT_CHAINS,
  type AuditAction,
  type AuditChain,
  type AuditedCaller,
  type AuditEntry,
  type AuditHead,
  type AuditLog,
} from './ports/audit-log.js';
export { anyCallerChain, AuditWriter, type AuditWriterOptions, type NewEntry } from './audit/audit-writer.js';
export { type AuditPage, auditPage, type AuditRecord, auditRecords } from './audit/audit-page.js';
export { type AuditAnchor, type AuditFault, type ChainReport, verifyChain, type VerifyOptions } from './audit/verify-chain.js';
export type { HeldBack, OverdueEntries, QueueDepth, TaskLoad } from './ports/task-load.js';
export type { TaskAgenda } from './ports/task-agenda.js';
export type { LimitsOf, OwnerLimits, OwnerUse, TaskIndex, TaskIndexPage, TaskIndexPosition } from './ports/task-index.js';
export { PassGate, type PassGateOptions } from './engine/pass-gate.js';
export type { DeadWorker, Heartbeat, RegisteredWorker, RunningPass, WorkerRegistry, WorkerTimes } from './ports/worker-registry.js';
export { WorkerLease } from './replay/worker-lease.js';
export { WorkerPresence, type WorkerPresenceOptions } from './engine/worker-presence.js';
export { checkedName, type SessionValueStore } from './ports/session-values.js';
