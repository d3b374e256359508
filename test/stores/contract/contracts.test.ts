import { checkSessionContracts } from '@longhaul/sessions/testing';
import { checkPayloadContracts, checkQueueContracts } from '@longhaul/tasks/testing';
import { backends, checkContracts, encryptedBackends, redisAt } from '../support/backends.js';

for (const backend of backends) checkContracts(backend);
for (const backend of encryptedBackends) {
  checkPayloadContracts(backend);
  checkSessionContracts(backend);
}
checkQueueContracts(redisAt('Redis, in three queues', undefined, 3));
