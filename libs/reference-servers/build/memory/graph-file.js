import { createEntities, createRelationsAnyway, graphOf } from './graph.js';
import { graphIn } from './graph-collection.js';
import { EntitySchema, RelationSchema } from './schemas.js';
/** So many records are written at once. */
const PART = 5_000;
/** The graph of an owner as the reference server would write it, byte for byte. */
export function exportGraph(owner, settings) {
    return graphIn(owner, settings).read(linesOf);
}
/**
 * Makes the graph of an owner that of a file. What is in it twice comes once, at its first place.
 *
 * @returns how many entities and relations there are
 * @throws Error when the owner has a graph already, or naming the line that cannot be read; TaskError `OWNER_FULL` when it is too
 *   large. Nothing is there then
 */
export async function importGraph(owner, settings, text) {
    const collection = graphIn(owner, settings);
    const changes = changesIn(text);
    if ((await collection.read((records) => records.size)) > 0)
        throw new Error('There is a graph already: only an empty one is imported into.');
    let written = 0;
    try {
        for (; written < changes.length; written += PART)
            await collection.update(() => ({ changes: changes.slice(written, written + PART), result: undefined }));
    }
    catch (error) {
        for (let from = 0; from < written; from += PART) {
            const removals = changes.slice(from, from + PART).map(({ id }) => ({ id }));
            await collection.update(() => ({ changes: removals, result: undefined }));
        }
        throw error;
    }
    return changes.length;
}
function linesOf(records) {
    const { entities, relations } = graphOf(records);
    return [
        ...entities.map(({ name, entityType, observations }) => JSON.stringify({ type: 'entity', name, entityType, observations })),
        ...relations.map(({ from, to, relationType }) => JSON.stringify({ type: 'relation', from, to, relationType })),
    ].join('\n');
}
function changesIn(text) {
    const entities = [];
    const relations = [];
    for (const [index, line] of text.split('\n').entries()) {
        if (line.trim() === '')
            continue;
        try {
            const value = JSON.parse(line);
            if (value.type === 'entity')
                entities.push(EntitySchema.parse(value));
            else if (value.type === 'relation')
                relations.push(RelationSchema.parse(value));
            else
                throw new Error('neither an entity nor a relation');
        }
        catch (error) {
            throw new Error(`Line ${index + 1} is no entity and no relation in JSON.`, { cause: error });
        }
    }
    const none = new Map();
    return [...createEntities(none, entities).changes, ...createRelationsAnyway(none, relations).changes];
}
//# sourceMappingURL=graph-file.js.map