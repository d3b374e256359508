import { checkSessionContracts } from '@longhaul/sessions/testing';
import { checkPayloadContracts } from '@longhaul/tasks/testing';
import { checkContracts, encryptedSqlite, sqlite } from '../support/stores.js';

checkContracts(sqlite);
checkPayloadContracts(encryptedSqlite);
checkSessionContracts(encryptedSqlite);
