import { defineResource, type Resource } from '@longhaul/mcp-features';
import { graphOf } from './graph.js';
import { answerable } from './graph-page.js';
import { GRAPH_URI, type GraphSettings, readGraph } from './graph-collection.js';

/** The whole graph of the caller. Subscribers are notified of each change. */
export function graphResource(settings: GraphSettings): Resource {
  return defineResource({
    uri: GRAPH_URI,
    name: 'knowledge-graph',
    title: 'Knowledge Graph',
    description: 'The full knowledge graph with all entities and relations',
    mimeType: 'application/json',
    read: (_uri, context) => readGraph(context, settings, (records) => JSON.stringify(answerable(graphOf(records)), null, 2)),
  });
}
