import { defineTool, type Records, type RequestContext, type Tool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { jsonResult } from '../tool-results.js';
import { type Graph, graphOf, openNodes, searchNodes } from './graph.js';
import { type GraphSettings, readGraph } from './graph-collection.js';
import { answerable, pageOf } from './graph-page.js';
import { GraphSchema, WHOSE_GRAPH } from './schemas.js';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** The text that a search compares with each text. */
const MAX_QUERY_CHARACTERS = 2_048;

/** `read_graph`, `search_nodes` and `open_nodes`, as the reference server has them; the first one also in pages. */
export function readingTools(settings: GraphSettings): readonly Tool[] {
  const answer = (context: RequestContext, look: (records: Records) => Graph) =>
    readGraph(context, settings, (records) => jsonResult({ ...answerable(look(records)) }));
  return [
    defineTool({
      name: 'read_graph',
      title: 'Read Graph',
      description: `Read the entire knowledge graph. ${WHOSE_GRAPH}`,
      input: z.object({
        limit: z.number().int().min(1).optional().describe('How many entities and relations to read; all of them without it'),
        cursor: z.string().optional().describe('The nextCursor of the page before'),
      }),
      output: GraphSchema.extend({ nextCursor: z.string().optional().describe('Where the next page begins, if there is one') }),
      annotations: READS,
      run: ({ limit, cursor }, context) =>
        answer(context, (records) =>
          limit === undefined && cursor === undefined ? graphOf(records) : pageOf(records, limit ?? Infinity, cursor),
        ),
    }),
    defineTool({
      name: 'search_nodes',
      title: 'Search Nodes',
      description: 'Search for nodes in the knowledge graph based on a query',
      input: z.object({
        query: z
          .string()
          .max(MAX_QUERY_CHARACTERS)
          .describe('The search query to match against entity names, types, and observation content'),
      }),
      output: GraphSchema,
      annotations: READS,
      run: ({ query }, context) => answer(context, (records) => searchNodes(records, query)),
    }),
    defineTool({
      name: 'open_nodes',
      title: 'Open Nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
      input: z.object({ names: z.array(z.string()).describe('An array of entity names to retrieve') }),
      output: GraphSchema,
      annotations: READS,
      run: ({ names }, context) => answer(context, (records) => openNodes(records, names)),
    }),
  ];
}
