/** The URI of the whole graph. */
export const GRAPH_URI = 'memory://knowledge-graph';
const NOBODY = [
    'A knowledge graph belongs to a caller, and nothing is known of the one of this request.',
    'Authenticate, send a header Longhaul-Caller-Secret, or use a session, as protocol versions up to 2025-11-25 have.',
].join(' ');
/** The graph of the caller. @throws Error for a caller of whom nothing is known */
export function graphOfCaller({ owner }, settings) {
    if (owner === undefined)
        throw new Error(NOBODY);
    return graphIn(owner, settings);
}
/** The graph among what an owner keeps. */
export function graphIn(owner, { maxBytes }) {
    return owner.collection('memory', { maxBytes, setting: 'LONGHAUL_MEMORY_MAX_BYTES' });
}
//# sourceMappingURL=graph-collection.js.map