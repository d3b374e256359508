/** Its home is where the contracts are that other stores are held to. */
export { waitUntil } from '@longhaul/tasks/testing';
