/** Imports and exports the file of the reference server: a JSON value on each line, entities before relations. */
import type { OwnerCollections, Records } from '@longhaul/mcp-features';
import { createEntities, createRelationsAnyway, graphOf } from './graph.js';
import { graphIn, type GraphSettings } from './graph-collection.js';
import type { GraphFile } from './read-graph-file.js';

export { type GraphFile, readGraphFile } from './read-graph-file.js';

/** So many records are written at once. */
const PART = 5_000;

/** The graph of an owner as the reference server would write it, byte for byte. */
export function exportGraph(owner: OwnerCollections, settings: GraphSettings): Promise<string> {
  return graphIn(owner, settings).read(linesOf);
}

/**
 * Imports a file as the graph of an owner.
 *
 * @returns the number of entities and relations
 * @throws Error when the owner has a graph already. TaskError `OWNER_FULL` when it is too large. Then nothing is imported.
 */
export async function importGraph(
  owner: OwnerCollections,
  settings: GraphSettings,
  { entities, relations }: Pick<GraphFile, 'entities' | 'relations'>,
): Promise<number> {
  const collection = graphIn(owner, settings);
  const none: Records = new Map();
  const changes = [...createEntities(none, entities).changes, ...createRelationsAnyway(none, relations).changes];
  if ((await collection.read((records) => records.size)) > 0)
    throw new Error('There is a graph already: only an empty one is imported into.');
  let written = 0;
  try {
    for (; written < changes.length; written += PART)
      await collection.update(() => ({ changes: changes.slice(written, written + PART), result: undefined }));
  } catch (error) {
    for (let from = 0; from < written; from += PART) {
      const removals = changes.slice(from, from + PART).map(({ id }) => ({ id }));
      await collection.update(() => ({ changes: removals, result: undefined }));
    }
    throw error;
  }
  return changes.length;
}

function linesOf(records: Records): string {
  const { entities, relations } = graphOf(records);
  return [
    ...entities.map(({ name, entityType, observations }) => JSON.stringify({ type: 'entity', name, entityType, observations })),
    ...relations.map(({ from, to, relationType }) => JSON.stringify({ type: 'relation', from, to, relationType })),
  ].join('\n');
}
