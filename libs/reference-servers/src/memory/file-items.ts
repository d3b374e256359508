/** Converts entities and relations from files into the form that a graph keeps. */
import type { Entity, Relation } from './graph.js';

interface Unreadable {
  readonly ok: false;
  readonly reason: string;
}

interface Readable {
  readonly ok: true;
  /** The repaired mistakes. */
  readonly repaired: readonly string[];
  /** Names of members that a graph does not keep. */
  readonly others: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The kind of a value in a file. The value may omit its kind if its members show it. */
export function kindOf(value: unknown): 'entity' | 'relation' | undefined {
  if (!isObject(value)) return undefined;
  const { type } = value;
  if (type === 'entity' || type === 'relation') return type;
  if (type !== undefined) return undefined;
  if ('from' in value && 'to' in value) return 'relation';
  return 'name' in value && ('entityType' in value || 'observations' in value) ? 'entity' : undefined;
}

export function entityIn(value: unknown): (Readable & { readonly entity: Entity }) | Unreadable {
  if (!isObject(value)) return { ok: false, reason: 'it is no object' };
  const { name, entityType = null } = value;
  if (typeof name !== 'string') return { ok: false, reason: 'it has no name' };
  if (entityType !== null && typeof entityType !== 'string') return { ok: false, reason: 'its entityType is no text' };
  const read = observationsIn(value['observations']);
  if (read === undefined) return { ok: false, reason: 'its observations are no texts' };
  const repaired = [...(entityType === null ? ['it had no entityType, which is empty now'] : []), ...read.repaired];
  const entity = { name, entityType: entityType ?? '', observations: read.observations };
  return { ok: true, entity, repaired, others: othersIn(value, ['type', 'name', 'entityType', 'observations']) };
}

export function relationIn(value: unknown): (Readable & { readonly relation: Relation }) | Unreadable {
  if (!isObject(value)) return { ok: false, reason: 'it is no object' };
  const { from, to, relationType } = value;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof relationType !== 'string')
    return { ok: false, reason: 'a relation has the texts from, to and relationType' };
  return { ok: true, relation: { from, to, relationType }, repaired: [], others: othersIn(value, ['type', 'from', 'to', 'relationType']) };
}

function observationsIn(value: unknown): { readonly observations: string[]; readonly repaired: readonly string[] } | undefined {
  if (value === undefined || value === null) return { observations: [], repaired: ['it had no observations'] };
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = list.filter((one) => one !== null);
  if (!texts.every((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')) return undefined;
  const isAsItShouldBe = Array.isArray(value) && list.every((one) => typeof one === 'string');
  return { observations: texts.map(String), repaired: isAsItShouldBe ? [] : ['its observations were no list of texts'] };
}

function othersIn(value: Fields, known: readonly string[]): readonly string[] {
  return Object.keys(value).filter((name) => !known.includes(name));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
