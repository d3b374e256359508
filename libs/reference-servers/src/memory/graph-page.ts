import type { Records } from '@longhaul/mcp-features';
import { type Entity, type Graph, isEntityId, type Relation } from './graph.js';

/** A part of the graph. */
export interface GraphPage extends Graph {
  /** Where the next part begins; absent with the last one. */
  readonly nextCursor?: string;
}

/** In an answer. A larger one holds up all callers while it is made, and no model reads it. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** @throws Error for a graph that is too large for one answer */
export function answerable<T extends Graph>(graph: T): T {
  let characters = 0;
  for (const part of [graph.entities, graph.relations])
    for (const record of part) {
      characters += JSON.stringify(record).length;
      if (characters > MAX_CHARACTERS)
        throw new Error('This is more than 4 MiB of the graph, too much for one answer: read it in pages, with the limit of read_graph.');
    }
  return graph;
}

/**
 * So many entities and then relations, starting after the cursor.
 *
 * @throws Error for an invalid cursor, or if the record of the cursor was removed
 */
export function pageOf(records: Records, limit: number, cursor?: string): GraphPage {
  // A record that is added between two pages is the last of its kind, so the pages are complete.
  const ids = [...[...records.keys()].filter(isEntityId), ...[...records.keys()].filter((id) => !isEntityId(id))];
  const begin = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
  if (cursor !== undefined && begin === 0) throw new Error('There is no such cursor (any more): read the graph from its beginning.');
  const page: Graph = { entities: [], relations: [] };
  const own = ids.slice(begin, begin + limit);
  for (const id of own) {
    if (isEntityId(id)) page.entities.push(records.get(id) as Entity);
    else page.relations.push(records.get(id) as Relation);
  }
  const last = own.at(-1);
  return { ...page, ...(begin + limit < ids.length && last !== undefined && { nextCursor: last }) };
}
