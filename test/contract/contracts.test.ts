import { backends, checkContracts } from './backends.js';

for (const backend of backends) checkContracts(backend);
