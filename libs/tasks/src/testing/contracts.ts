import { auditLogContract } from './audit-log.contract.js';
import type { ContractBackend } from './contract-backend.js';
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
import { taskIndexContract } from './task-index.contract.js';
import { taskLoadContract } from './task-load.contract.js';
import { taskQueueContract } from './task-queue.contract.js';
import { taskReadersContract } from './task-readers.contract.js';
import { tenantOverridesContract } from './tenant-overrides.contract.js';
import { workerRegistryContract } from './worker-registry.contract.js';

/** Declares the tests of all contracts for a backend: one that keeps to them can take the place of any other. */
export function checkTaskContracts(backend: ContractBackend): void {
  auditLogContract(backend);
  dataKeysContract(backend);
  eventStoreContract(backend);
  forkContract(backend);
  newerVersionContract(backend);
  operatorIndexContract(backend);
  parkedTasksContract(backend);
  taskAgendaContract(backend);
  taskIndexContract(backend);
  taskReadersContract(backend);
  tenantOverridesContract(backend);
  workerRegistryContract(backend);
  lanesContract(backend);
  laneWeightsContract(backend);
  queuePausesContract(backend);
  runningLimitsContract(backend);
  taskLoadContract(backend);
  taskQueueContract(backend);
}

/** Those of what payloads are kept by, for a backend that encrypts them. */
export function checkPayloadContracts(backend: ContractBackend): void {
  dataKeysContract(backend);
  eventStoreContract(backend);
  forkContract(backend);
  newerVersionContract(backend);
  taskReadersContract(backend);
}
