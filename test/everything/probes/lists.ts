import { type Probe, request } from '../support/probe.js';

/** What the servers say of themselves. */
export const lists: readonly Probe[] = [
  {
    name: 'initialize',
    run: async ({ client }) => ({
      capabilities: client.getServerCapabilities(),
      serverInfo: client.getServerVersion(),
      instructions: client.getInstructions(),
    }),
  },
  request('ping'),
  request('tools/list'),
  request('prompts/list'),
  request('resources/list'),
  request('resources/templates/list'),
  request('nothing/like-this'),
  request('logging/setLevel', { level: 'notice' }),
  request('logging/setLevel', { level: 'loud' }),
  request('logging/setLevel', { level: 'debug' }),
];
