import { checkQueueContracts } from '@longhaul/tasks/testing';
import { backends, checkContracts, redisAt } from './backends.js';

for (const backend of backends) checkContracts(backend);
checkQueueContracts(redisAt('Redis, in three queues', undefined, 3));
