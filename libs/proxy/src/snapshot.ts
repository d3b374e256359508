import type { ConnectedServer, ListEntries } from '@longhaul/servers';

/** What a server offered at one moment. Plain JSON: it is kept for the time in which the server is away. */
export interface Snapshot {
  readonly tools: readonly ListEntries['tools'][];
  readonly prompts: readonly ListEntries['prompts'][];
  readonly resources: readonly ListEntries['resources'][];
  readonly resourceTemplates: readonly ListEntries['resourceTemplates'][];
  /** Whether it completes arguments. */
  readonly completes: boolean;
  /** When it was read, epoch milliseconds. */
  readonly readAt: number;
}

export function snapshotOf({ lists, client }: ConnectedServer): Snapshot {
  return {
    tools: lists.get('tools'),
    prompts: lists.get('prompts'),
    resources: lists.get('resources'),
    resourceTemplates: lists.get('resourceTemplates'),
    completes: client.client.getServerCapabilities()?.completions !== undefined,
    readAt: Date.now(),
  };
}
