/** It is defined next to the contracts of the stores. */
export { waitUntil } from '@longhaul/tasks/testing';
