import type { OwnerCollection, OwnerCollections, RequestContext } from '@longhaul/mcp-features';

/** The URI of the whole graph. */
export const GRAPH_URI = 'memory://knowledge-graph';

/** What is set about graphs. */
export interface GraphSettings {
  /** What the graph of one owner may take, bytes. */
  readonly maxBytes: number;
}

const NOBODY = [
  'A knowledge graph belongs to a caller, and nothing is known of the one of this request.',
  'Authenticate, send a header Longhaul-Caller-Secret, or use a session, as protocol versions up to 2025-11-25 have.',
].join(' ');

/** The graph of the caller. @throws Error for a caller of whom nothing is known */
export function graphOfCaller({ owner }: Pick<RequestContext, 'owner'>, settings: GraphSettings): OwnerCollection {
  if (owner === undefined) throw new Error(NOBODY);
  return graphIn(owner, settings);
}

/** The graph among what an owner keeps. */
export function graphIn(owner: OwnerCollections, { maxBytes }: GraphSettings): OwnerCollection {
  return owner.collection('memory', { maxBytes, setting: 'LONGHAUL_MEMORY_MAX_BYTES' });
}
