import { defineResource } from '@longhaul/mcp-features';
import { graphOf } from './graph.js';
import { GRAPH_URI, graphOfCaller } from './graph-collection.js';
/** The whole graph of the caller. Who has subscribed to it is notified of each change. */
export function graphResource(settings) {
    return defineResource({
        uri: GRAPH_URI,
        name: 'knowledge-graph',
        title: 'Knowledge Graph',
        description: 'The full knowledge graph with all entities and relations',
        mimeType: 'application/json',
        read: (_uri, context) => graphOfCaller(context, settings).read((records) => JSON.stringify(graphOf(records), null, 2)),
    });
}
//# sourceMappingURL=graph-resource.js.map