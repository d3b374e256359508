import type { ConnectedServer, ListEntries } from '@longhaul/servers';
import type { Implementation } from '@modelcontextprotocol/sdk/types.js';

/** The offers of a server at one moment. Plain JSON: it is kept for the time in which the server is away. */
export interface Snapshot {
  readonly tools: readonly ListEntries['tools'][];
  readonly prompts: readonly ListEntries['prompts'][];
  readonly resources: readonly ListEntries['resources'][];
  readonly resourceTemplates: readonly ListEntries['resourceTemplates'][];
  /** Whether it completes arguments. */
  readonly completes: boolean;
  /** Whether it has resources. It may list none of them. */
  readonly reads: boolean;
  /** How to use it, for models. */
  readonly instructions?: string | undefined;
  /** Its name, its version and its icons. */
  readonly identity?: Implementation | undefined;
  /** When it was read, epoch milliseconds. */
  readonly readAt: number;
}

export function snapshotOf({ lists, client, instructions }: ConnectedServer): Snapshot {
  const { completions, resources } = client.client.getServerCapabilities() ?? {};
  const identity = client.client.getServerVersion();
  return {
    tools: lists.get('tools'),
    prompts: lists.get('prompts'),
    resources: lists.get('resources'),
    resourceTemplates: lists.get('resourceTemplates'),
    completes: completions !== undefined,
    reads: resources !== undefined,
    ...(instructions !== undefined && { instructions }),
    ...(identity !== undefined && { identity }),
    readAt: Date.now(),
  };
}
