import { backends } from './backends.js';
import { checkContracts } from './contracts.js';

for (const backend of backends) checkContracts(backend);
