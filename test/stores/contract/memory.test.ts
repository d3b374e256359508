import { checkContracts, memory } from '../support/backends.js';

checkContracts(memory);
