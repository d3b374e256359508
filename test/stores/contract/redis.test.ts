import { checkSessionContracts } from '@longhaul/sessions/testing';
import { checkPayloadContracts } from '@longhaul/tasks/testing';
import { checkContracts, encryptedRedis, redisAt } from '../support/stores.js';

checkContracts(redisAt('Redis'));
checkPayloadContracts(encryptedRedis);
checkSessionContracts(encryptedRedis);
