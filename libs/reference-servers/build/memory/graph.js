/**
 * A knowledge graph as records of its owner: each entity and each relation is one, so that a change of one of them writes no
 * other. Everything here is pure: it says what to change.
 */
import { createHash } from 'node:crypto';
const ENTITY = 'e';
const RELATION = 'r';
/** Names have any length; ids have a limit. */
function idOf(kind, ...parts) {
    return kind + createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
function entityId(name) {
    return idOf(ENTITY, name);
}
function relationId({ from, to, relationType }) {
    return idOf(RELATION, from, to, relationType);
}
/** Whether the id is that of an entity. */
export function isEntityId(id) {
    return id.startsWith(ENTITY);
}
/** The whole graph. */
export function graphOf(records) {
    const graph = { entities: [], relations: [] };
    for (const [id, value] of records) {
        if (isEntityId(id))
            graph.entities.push(value);
        else
            graph.relations.push(value);
    }
    return graph;
}
/** Those that there are none of yet are created: of several with one name the first one. */
export function createEntities(records, entities) {
    return created(records, entities, ({ name }) => entityId(name));
}
/** @throws Error naming an entity that there is none of; nothing is created then */
export function createRelations(records, relations) {
    for (const { from, to } of relations)
        for (const name of [from, to])
            requireEntity(records, name);
    return createRelationsAnyway(records, relations);
}
/** The same for relations that stand in a file: older versions of the reference server took them without their entities. */
export function createRelationsAnyway(records, relations) {
    return created(records, relations, relationId);
}
function created(records, given, id) {
    const found = new Map();
    for (const one of given) {
        const own = id(one);
        if (!records.has(own) && !found.has(own))
            found.set(own, one);
    }
    return { changes: Array.from(found, ([own, value]) => ({ id: own, value })), result: [...found.values()] };
}
/** @throws Error naming an entity that there is none of; nothing is added then */
export function addObservations(records, additions) {
    const changed = new Map();
    const result = additions.map(({ entityName, contents }) => {
        const id = entityId(entityName);
        const entity = changed.get(id) ?? requireEntity(records, entityName);
        const known = new Set(entity.observations);
        const addedObservations = contents.filter((content) => !known.has(content));
        if (addedObservations.length > 0)
            changed.set(id, { ...entity, observations: [...entity.observations, ...addedObservations] });
        return { entityName, addedObservations };
    });
    return { changes: changesOf(changed), result };
}
/** Deletes entities, and their relations with them. */
export function deleteEntities(records, names) {
    const gone = new Set(names);
    const changes = [];
    for (const [id, value] of records) {
        const isGone = isEntityId(id)
            ? gone.has(value.name)
            : gone.has(value.from) || gone.has(value.to);
        if (isGone)
            changes.push({ id });
    }
    return { changes, result: undefined };
}
/** What is not there is passed over. */
export function deleteObservations(records, deletions) {
    const changed = new Map();
    for (const { entityName, observations: unwanted } of deletions) {
        const id = entityId(entityName);
        const entity = changed.get(id) ?? records.get(id);
        if (entity === undefined)
            continue;
        const gone = new Set(unwanted);
        const observations = entity.observations.filter((observation) => !gone.has(observation));
        if (observations.length < entity.observations.length)
            changed.set(id, { ...entity, observations });
    }
    return { changes: changesOf(changed), result: undefined };
}
/** What is not there is passed over. */
export function deleteRelations(records, relations) {
    const ids = relations.map(relationId).filter((id) => records.has(id));
    return { changes: ids.map((id) => ({ id })), result: undefined };
}
/** The entities in whose name, type or observations the text is, in upper or lower case, and the relations that begin or end at one of them. */
export function searchNodes(records, query) {
    const wanted = query.toLowerCase();
    const has = (text) => text.toLowerCase().includes(wanted);
    return around(records, ({ name, entityType, observations }) => has(name) || has(entityType) || observations.some(has));
}
/** The entities with these names, and the relations that begin or end at one of them. */
export function openNodes(records, names) {
    const wanted = new Set(names);
    return around(records, ({ name }) => wanted.has(name));
}
function around(records, isWanted) {
    const found = { entities: [], relations: [] };
    const names = new Set();
    for (const [id, value] of records) {
        if (!isEntityId(id) || !isWanted(value))
            continue;
        found.entities.push(value);
        names.add(value.name);
    }
    if (names.size === 0)
        return found;
    for (const [id, value] of records) {
        if (isEntityId(id))
            continue;
        const { from, to } = value;
        if (names.has(from) || names.has(to))
            found.relations.push(value);
    }
    return found;
}
function requireEntity(records, name) {
    const entity = records.get(entityId(name));
    if (entity === undefined)
        throw new Error(`Entity with name ${name} not found`);
    return entity;
}
function changesOf(changed) {
    return Array.from(changed, ([id, value]) => ({ id, value }));
}
//# sourceMappingURL=graph.js.map