/** Its home is where the contracts are that other backends are held to. */
export { waitUntil } from '@longhaul/tasks/testing';
