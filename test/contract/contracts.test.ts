import { checkTaskContracts } from '@longhaul/tasks/testing';
import { backends, checkContracts, sqliteTasks } from './backends.js';

for (const backend of backends) checkContracts(backend);
checkTaskContracts(sqliteTasks);
