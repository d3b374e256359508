/**
 * Exports the contracts, and the parts that tests of the engine and of stores look into. Nothing here is stable, and only tests import it:
 * the contracts use the caller's vitest.
 */
export type { OutsideCommand, TaskCommand } from '../domain/commands.js';
export { relayedFrom } from '../domain/child-events.js';
export { decide, decideAll } from '../domain/decide.js';
export type { TaskEventOf, TaskEventType } from '../domain/events.js';
export { EVENT_KINDS } from '../domain/event-kinds.js';
export { evolve, fold } from '../domain/evolve.js';
export { nextDeadline } from '../domain/next-deadline.js';
export { nextPass } from '../domain/next-pass.js';
export { createdWith, forkOf, operationKeys } from '../domain/fork.js';
export type { Operation } from '../domain/operation-kinds.js';
export { project, VIEW_AT_REST } from '../domain/projections/project.js';
export { CommandRejected } from '../domain/rejection.js';
export { codecOf } from '../at-rest/encryption.js';
export { initialState, type TaskState, UNKNOWN_VERSION } from '../domain/state.js';
export { type ForkOptions, forkTask } from '../engine/fork-task.js';
export { inParallel } from '../in-parallel.js';
export { OutageRetry } from '../engine/outage-retry.js';
export { Sweep } from '../engine/sweep.js';
export { DEFAULT_OWNER_LIMITS } from '../limits.js';
export { UNLIMITED } from '../ports/store-capacity.js';
export { fromStored, toStored } from '../ports/stored-event.js';
export { misfitOf } from '../signals/misfit-of.js';
export { wrappedStore } from '../ports/wrapped-store.js';
export type { SoughtJob } from '../ports/task-queue.js';
export type { TaskReport } from '../write/task-report.js';
export { TaskWriter } from '../write/task-writer.js';
export type { ContractStore, OpenedStore, OpenOptions } from './contract-store.js';
export { collected } from './collected.js';
export { blobStoreContract } from './blob-store.contract.js';
export { checkPayloadContracts, checkTaskContracts } from './contracts.js';
export { EVENT_SAMPLES, sampleOf } from './event-samples.js';
export { type Held, heldCount, type HeldDeliveries, holdDeliveries } from './held-deliveries.js';
export { opening } from './opening.js';
export { newTaskId, taskData, TaskHistory } from './task-history.js';
export { waitUntil } from './wait-until.js';
