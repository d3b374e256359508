export type { TaskBackend } from './backend.js';
export { createMemoryBackend, type MemoryBackendOptions } from './backend-memory.js';
export { connectRedisBackend, type RedisBackend, type RedisBackendOptions } from './backend-redis.js';
export type { Clock } from './clock.js';
export { addressAccount } from './service/accounts.js';
export type { Trial } from './domain/events.js';
export type { ClientInfo, Generation, InputAnswer, Progress, TaskCreatedData, TaskEvent, TaskFailure } from './domain/events.js';
export type { Json, JsonObject, RecordedError } from './domain/json.js';
export type { Outcome } from './domain/state.js';
export { isTaskId, type TaskId } from './domain/task-id.js';
export { MAX_RESULT_BYTES } from './replay/limits.js';
export { remembered } from './remembered.js';
export { checkKey, cutText, FIELD_LIMITS, tooLong } from './field-limits.js';
export { TASK_ERRORS, TaskError, TerminalError, type TaskErrorCode } from './errors.js';
export { MIN_RETENTION_MS, type PendingInput, type TaskView } from './projections/task-view.js';
export type {
  ConsumeOptions,
  JobDelivery,
  JobHandler,
  JobVerdict,
  QueuedTaskJob,
  SessionJobHandler,
  SessionJobRun,
  TaskConsumer,
  TaskJob,
  TaskQueue,
} from './queue/task-queue.js';
export { type AskedMethod, missingCapability, requireCapability, requireSession } from './replay/client-capability.js';
export { mapOperation } from './replay/operation-promise.js';
export { clientRequestParams, elicitationCompleteParams, logParams, progressParams } from './replay/notification-params.js';
export type {
  ClientTaskOptions,
  ClientTaskRequest,
  ClientTaskResult,
  ClientTaskStatus,
  ProgressReport,
  RetryPolicy,
  SessionValues,
  StepContext,
  StepOptions,
  TaskContext,
} from './replay/task-context.js';
export type { Recordable } from './replay/recordable.js';
export type { Workflow, WorkflowRegistry } from './replay/workflow.js';
export { createTaskService, type TaskServiceOptions } from './service/create-task-service.js';
export { Suspects, type SuspectsOptions, type TrialEnd, type TrialProcesses } from './service/suspects.js';
export { logTasks } from './service/task-report.js';
export { TaskRunner, type TaskRunnerOptions } from './service/task-runner.js';
export type { StuckPass } from './service/stuck-passes.js';
export type { Caller, TaskNews, TaskNotification, TaskPage, TaskService, TaskSnapshot } from './service/task-service.js';
export type { AppendRequest, AppendResult, DeliveryMark, EventStore, Unsubscribe } from './store/event-store.js';
export type { ClientNews, SessionNews } from './store/session-news.js';
export type { GivenBack, ParkedGroup, ParkedTask, ParkedTasks } from './store/parked-tasks.js';
export { checkedName, type SessionState } from './store/session-state.js';
export type { StoreCapacity } from './store/store-capacity.js';
export { whileReachable } from './store/store-fault.js';
export type { Signals } from './store/signals.js';
export type { TaskAgenda } from './store/task-agenda.js';
export type { OwnerLimits, TaskIndex, TaskIndexPage, TaskIndexPosition } from './store/task-index.js';
export type { DeadWorker, Heartbeat, RegisteredWorker, WorkerRegistry, WorkerTimes } from './store/worker-registry.js';
export { Lease } from './lease.js';
export { WorkerPresence, type WorkerPresenceOptions } from './service/worker-presence.js';
