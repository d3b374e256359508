/** All contracts: a backend that keeps to them can take the place of any other. */
import type { ContractBackend } from './backends.js';
import { eventStoreContract } from './event-store.contract.js';
import { parkedTasksContract } from './parked-tasks.contract.js';
import { sessionNotificationsContract } from './session-notifications.contract.js';
import { sessionStateContract } from './session-state.contract.js';
import { signalsContract } from './signals.contract.js';
import { taskAgendaContract } from './task-agenda.contract.js';
import { taskIndexContract } from './task-index.contract.js';
import { taskQueueContract } from './task-queue.contract.js';
import { taskReadersContract } from './task-readers.contract.js';
import { workerRegistryContract } from './worker-registry.contract.js';

const contracts = [
  eventStoreContract,
  parkedTasksContract,
  sessionNotificationsContract,
  sessionStateContract,
  signalsContract,
  taskAgendaContract,
  taskIndexContract,
  taskQueueContract,
  taskReadersContract,
  workerRegistryContract,
];

/** Declares the tests of all contracts for a backend. */
export function checkContracts(backend: ContractBackend): void {
  for (const contract of contracts) contract(backend);
}
