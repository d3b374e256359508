import { isEntityId } from './graph.js';
/**
 * So many entities and then relations, from the one after the cursor on.
 *
 * @throws Error for a cursor whose record is not there any more, or that is none
 */
export function pageOf(records, limit, cursor) {
    // A record that is added meanwhile is the last one of its kind, so pages leave out nothing.
    const ids = [...[...records.keys()].filter(isEntityId), ...[...records.keys()].filter((id) => !isEntityId(id))];
    const begin = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    if (cursor !== undefined && begin === 0)
        throw new Error('There is no such cursor (any more): read the graph from its beginning.');
    const page = { entities: [], relations: [] };
    const own = ids.slice(begin, begin + limit);
    for (const id of own) {
        if (isEntityId(id))
            page.entities.push(records.get(id));
        else
            page.relations.push(records.get(id));
    }
    const last = own.at(-1);
    return { ...page, ...(begin + limit < ids.length && last !== undefined && { nextCursor: last }) };
}
//# sourceMappingURL=graph-page.js.map