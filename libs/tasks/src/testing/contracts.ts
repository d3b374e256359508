import { auditLogContract } from './audit-log.contract.js';
import { callbackStoreContract } from './callback-store.contract.js';
import type { ContractStore } from './contract-store.js';
import { dataKeysContract } from './data-keys.contract.js';
import { eventStoreContract } from './event-store.contract.js';
import { forkContract } from './fork.contract.js';
import { laneWeightsContract } from './lane-weights.contract.js';
import { lanesContract } from './lanes.contract.js';
import { newerVersionContract } from './newer-version.contract.js';
import { operatorIndexContract } from './operator-index.contract.js';
import { parkedTasksContract } from './parked-tasks.contract.js';
import { queuePausesContract } from './queue-pauses.contract.js';
import { runningLimitsContract } from './running-limits.contract.js';
import { taskAgendaContract } from './task-agenda.contract.js';
import { taskCountersContract } from './task-counters.contract.js';
import { taskIndexContract } from './task-index.contract.js';
import { taskLoadContract } from './task-load.contract.js';
import { taskQueueContract } from './task-queue.contract.js';
import { taskReadersContract } from './task-readers.contract.js';
import { scheduleStoreContract } from './schedule-store.contract.js';
import { tenantOverridesContract } from './tenant-overrides.contract.js';
import { webhookOutboxContract } from './webhook-outbox.contract.js';
import { workerRegistryContract } from './worker-registry.contract.js';

/** Declares the tests of all contracts for a store: one that keeps to them can take the place of any other. */
export function checkTaskContracts(store: ContractStore): void {
  auditLogContract(store);
  callbackStoreContract(store);
  dataKeysContract(store);
  eventStoreContract(store);
  forkContract(store);
  newerVersionContract(store);
  operatorIndexContract(store);
  parkedTasksContract(store);
  taskAgendaContract(store);
  taskCountersContract(store);
  taskIndexContract(store);
  taskReadersContract(store);
  tenantOverridesContract(store);
  webhookOutboxContract(store);
  scheduleStoreContract(store);
  workerRegistryContract(store);
  lanesContract(store);
  laneWeightsContract(store);
  queuePausesContract(store);
  runningLimitsContract(store);
  taskLoadContract(store);
  taskQueueContract(store);
}

/** Those of what payloads are kept by, for a store that encrypts them. */
export function checkPayloadContracts(store: ContractStore): void {
  dataKeysContract(store);
  eventStoreContract(store);
  forkContract(store);
  newerVersionContract(store);
  taskReadersContract(store);
  webhookOutboxContract(store);
  scheduleStoreContract(store);
}
