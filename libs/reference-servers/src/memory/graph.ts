/**
 * Defines a knowledge graph as records of its owner. Each entity and each relation is one record, so a change of one of them writes no
 * other. Everything here is pure: it says what to change.
 */
import { createHash } from 'node:crypto';
import type { Decision, Records, RecordUpdate } from '@longhaul/mcp-features';

/** A node of the graph, known by its name. */
export type Entity = { readonly name: string; readonly entityType: string; readonly observations: string[] };

/** An arrow between two entities, in active voice. */
export type Relation = { readonly from: string; readonly to: string; readonly relationType: string };

/** Entities and relations, each in the order in which they were created. */
export interface Graph {
  readonly entities: Entity[];
  readonly relations: Relation[];
}

/** Texts that are added to an entity. */
export interface AddedObservations {
  readonly entityName: string;
  readonly addedObservations: string[];
}

const ENTITY = 'e';
const RELATION = 'r';

/** Names have any length; ids have a limit. */
function idOf(kind: string, ...parts: readonly string[]): string {
  return kind + createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}

function entityId(name: string): string {
  return idOf(ENTITY, name);
}

function relationId({ from, to, relationType }: Relation): string {
  return idOf(RELATION, from, to, relationType);
}

/** Whether the id belongs to an entity. */
export function isEntityId(id: string): boolean {
  return id.startsWith(ENTITY);
}

/** The whole graph. */
export function graphOf(records: Records): Graph {
  const graph: Graph = { entities: [], relations: [] };
  for (const [id, value] of records) {
    if (isEntityId(id)) graph.entities.push(value as Entity);
    else graph.relations.push(value as Relation);
  }
  return graph;
}

/** Those that there are none of yet are created: of several with one name the first one. */
export function createEntities(records: Records, entities: readonly Entity[]): Decision<Entity[]> {
  return created(records, entities, ({ name }) => entityId(name));
}

/** @throws Error naming an entity that there is none of; nothing is created then */
export function createRelations(records: Records, relations: readonly Relation[]): Decision<Relation[]> {
  for (const { from, to } of relations) for (const name of [from, to]) requireEntity(records, name);
  return createRelationsAnyway(records, relations);
}

/** The same for relations that stand in a file: older versions of the reference server took them without their entities. */
export function createRelationsAnyway(records: Records, relations: readonly Relation[]): Decision<Relation[]> {
  return created(records, relations, relationId);
}

function created<T extends Entity | Relation>(records: Records, given: readonly T[], id: (one: T) => string): Decision<T[]> {
  const found = new Map<string, T>();
  for (const one of given) {
    const own = id(one);
    if (!records.has(own) && !found.has(own)) found.set(own, one);
  }
  return { changes: Array.from(found, ([own, value]) => ({ id: own, value })), result: [...found.values()] };
}

/** @throws Error naming an entity that there is none of; nothing is added then */
export function addObservations(
  records: Records,
  additions: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
): Decision<AddedObservations[]> {
  const changed = new Map<string, Entity>();
  const result = additions.map(({ entityName, contents }) => {
    const id = entityId(entityName);
    const entity = changed.get(id) ?? requireEntity(records, entityName);
    const known = new Set(entity.observations);
    const addedObservations = contents.filter((content) => !known.has(content));
    if (addedObservations.length > 0) changed.set(id, { ...entity, observations: [...entity.observations, ...addedObservations] });
    return { entityName, addedObservations };
  });
  return { changes: changesOf(changed), result };
}

/** Deletes entities, and their relations with them. */
export function deleteEntities(records: Records, names: readonly string[]): Decision<undefined> {
  const gone = new Set(names);
  const changes: RecordUpdate[] = [];
  for (const [id, value] of records) {
    const isGone = isEntityId(id)
      ? gone.has((value as Entity).name)
      : gone.has((value as Relation).from) || gone.has((value as Relation).to);
    if (isGone) changes.push({ id });
  }
  return { changes, result: undefined };
}

/** Missing records are ignored. */
export function deleteObservations(
  records: Records,
  deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
): Decision<undefined> {
  const changed = new Map<string, Entity>();
  for (const { entityName, observations: unwanted } of deletions) {
    const id = entityId(entityName);
    const entity = changed.get(id) ?? (records.get(id) as Entity | undefined);
    if (entity === undefined) continue;
    const gone = new Set(unwanted);
    const observations = entity.observations.filter((observation) => !gone.has(observation));
    if (observations.length < entity.observations.length) changed.set(id, { ...entity, observations });
  }
  return { changes: changesOf(changed), result: undefined };
}

/** Missing records are ignored. */
export function deleteRelations(records: Records, relations: readonly Relation[]): Decision<undefined> {
  const ids = relations.map(relationId).filter((id) => records.has(id));
  return { changes: ids.map((id) => ({ id })), result: undefined };
}

/**
 * The entities with the text in their name, type or observations, in upper or lower case, and the relations that begin or end at one of
 * them.
 */
export function searchNodes(records: Records, query: string): Graph {
  const wanted = query.toLowerCase();
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  return around(records, ({ name, entityType, observations }) => has(name) || has(entityType) || observations.some(has));
}

/** The entities with these names, and the relations that begin or end at one of them. */
export function openNodes(records: Records, names: readonly string[]): Graph {
  const wanted = new Set(names);
  return around(records, ({ name }) => wanted.has(name));
}

function around(records: Records, isWanted: (entity: Entity) => boolean): Graph {
  const found: Graph = { entities: [], relations: [] };
  const names = new Set<string>();
  for (const [id, value] of records) {
    if (!isEntityId(id) || !isWanted(value as Entity)) continue;
    found.entities.push(value as Entity);
    names.add((value as Entity).name);
  }
  if (names.size === 0) return found;
  for (const [id, value] of records) {
    if (isEntityId(id)) continue;
    const { from, to } = value as Relation;
    if (names.has(from) || names.has(to)) found.relations.push(value as Relation);
  }
  return found;
}

function requireEntity(records: Records, name: string): Entity {
  const entity = records.get(entityId(name));
  if (entity === undefined) throw new Error(`Entity with name ${name} not found`);
  return entity as Entity;
}

function changesOf(changed: ReadonlyMap<string, Entity>): RecordUpdate[] {
  return Array.from(changed, ([id, value]) => ({ id, value }));
}
