import type { OwnerCollection, OwnerCollections, Records, RequestContext } from '@longhaul/mcp-features';
import { FairSlots } from '@longhaul/runtime/computation';

/** The URI of the whole graph. */
export const GRAPH_URI = 'memory://knowledge-graph';

/** The settings of graphs. */
export interface GraphSettings {
  /** The size limit for one owner's graph, bytes. */
  readonly maxBytes: number;
}

const NOBODY = [
  'A knowledge graph belongs to a caller, and nothing is known of the one of this request.',
  'Authenticate, send a header Longhaul-Caller-Secret, or use a session, as protocol versions up to 2025-11-25 have.',
].join(' ');

/** The graph of the caller. @throws Error for an unknown caller */
export function graphOfCaller({ owner }: Pick<RequestContext, 'owner'>, settings: GraphSettings): OwnerCollection {
  if (owner === undefined) throw new Error(NOBODY);
  return graphIn(owner, settings);
}

/** A graph of 16 MiB takes several times as much while it becomes an answer. */
const MAX_READS = 2;

const slots = new FairSlots(MAX_READS);

/**
 * Reads the graph of the caller. The reads of all callers share a few slots, owner by owner. A slot is free when its answer has been sent.
 *
 * @throws Error for an unknown caller; the reason of the signal
 */
export async function readGraph<T>(
  context: Pick<RequestContext, 'owner' | 'signal'>,
  settings: GraphSettings,
  look: (records: Records) => T,
): Promise<T> {
  const graph = graphOfCaller(context, settings);
  const leave = await slots.enter(context.owner?.key ?? '', context.signal);
  try {
    return await graph.read(look);
  } finally {
    setImmediate(leave);
  }
}

/** The graph among what an owner keeps. */
export function graphIn(owner: OwnerCollections, { maxBytes }: GraphSettings): OwnerCollection {
  return owner.collection('memory', { maxBytes, setting: 'LONGHAUL_MEMORY_MAX_BYTES' });
}
