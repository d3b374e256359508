import { checkSessionContracts } from '@longhaul/sessions/testing';
import { checkPayloadContracts } from '@longhaul/tasks/testing';
import { backends, checkContracts, encryptedBackends } from '../support/backends.js';

for (const backend of backends) checkContracts(backend);
for (const backend of encryptedBackends) {
  checkPayloadContracts(backend);
  checkSessionContracts(backend);
}
