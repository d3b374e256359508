/**
 * Reads the files of the reference server Memory that people have. One has a JSON value on each line; old ones are one JSON value with
 * `entities` and `relations`. Dead programs, editors and other languages have damaged some of them. Unambiguous mistakes are repaired, and
 * everything else is set aside: nothing is lost, and nothing is left out silently.
 */
import { isUtf8 } from 'node:buffer';
import { getBOMEncoding, TextDecoder } from '@exodus/bytes/encoding.js';
import { unmarkedUtf16 } from '../text-encoding.js';
import { entityIn, kindOf, relationIn } from './file-items.js';
import type { Entity, Relation } from './graph.js';
import { jsonValuesIn } from './json-values.js';

/** A part of a file that was repaired. */
export interface Repair {
  /** As in `line 3` or `line 1, entities[2]`. */
  readonly where: string;
  /** The mistakes. */
  readonly what: string;
}

/** A part of a file that is not in the graph, or not all of it. */
export interface SetAside {
  readonly where: string;
  readonly reason: string;
  /** The part as it is in the file. */
  readonly text: string;
}

/** The content of a file. */
export interface GraphFile {
  readonly entities: readonly Entity[];
  readonly relations: readonly Relation[];
  readonly repaired: readonly Repair[];
  readonly setAside: readonly SetAside[];
}

/** Reads a file, in UTF-8 or UTF-16, with or without a byte order mark. It never throws: what is no graph is set aside. */
export function readGraphFile(bytes: Uint8Array): GraphFile {
  const encoding = getBOMEncoding(bytes) ?? unmarkedUtf16(bytes) ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  const isBroken = encoding === 'utf-8' && !isUtf8(bytes);
  const collected = new CollectedGraph();
  const whole = parsed(text);
  // The old form may have line breaks anywhere.
  if (!isBroken && isContainer(whole)) collected.addAll(whole, 'line 1');
  else
    for (const [index, raw] of text.split(/\r\n?|\n/).entries()) {
      const [line, where] = [raw.replace(/\0+$/, '').trim(), `line ${index + 1}`];
      if (isBroken && line.includes('\ufffd')) collected.setAside(where, 'it has bytes that are not UTF-8', line);
      else readLine(collected, line, where);
    }
  return collected.file();
}

function readLine(collected: CollectedGraph, line: string, where: string): void {
  if (line === '') return;
  const { values, rest } = jsonValuesIn(line);
  if (values.length > 1) collected.repair(where, `${values.length} JSON values were on one line`);
  for (const value of values) collected.addAll(JSON.parse(value), where);
  if (rest === '') return;
  const closed = parsed(`${rest}}`);
  if (!isWhole(closed)) return collected.setAside(where, 'it is no JSON', rest);
  collected.repair(where, 'its last brace was missing');
  collected.addAll(closed, where);
}

/** Whether nothing else than a brace can be missing. The observations of an entity come last. */
function isWhole(value: unknown): boolean {
  if (kindOf(value) === 'relation') return true;
  const read = entityIn(value);
  return read.ok && read.repaired.length === 0;
}

/** The result so far. */
class CollectedGraph {
  readonly #entities = new Map<string, { readonly where: string; entity: Entity }>();
  readonly #relations = new Map<string, { readonly where: string; relation: Relation }>();
  readonly #repaired: Repair[] = [];
  readonly #setAside: SetAside[] = [];

  repair(where: string, what: string): void {
    this.#repaired.push({ where, what });
  }

  setAside(where: string, reason: string, text: string): void {
    this.#setAside.push({ where, reason, text });
  }

  /** Adds an entity or a relation, or those in a list or in the old form. */
  addAll(value: unknown, where: string): void {
    if (!isContainer(value)) return this.#add(value, where);
    if (isList(value)) return value.forEach((item, index) => this.#add(item, `${where}, [${index}]`));
    for (const kind of ['entity', 'relation'] as const) {
      const name = kind === 'entity' ? 'entities' : 'relations';
      for (const [index, item] of (value[name] ?? []).entries()) this.#add(item, `${where}, ${name}[${index}]`, kind);
    }
    const others = Object.keys(value).filter((name) => name !== 'entities' && name !== 'relations');
    if (others.length > 0) this.#leftOut(where, others, value);
  }

  file(): GraphFile {
    return {
      entities: Array.from(this.#entities.values(), ({ entity }) => entity),
      relations: Array.from(this.#relations.values(), ({ relation }) => relation),
      repaired: this.#repaired,
      setAside: this.#setAside,
    };
  }

  #add(value: unknown, where: string, kind = kindOf(value)): void {
    const read = kind === 'entity' ? entityIn(value) : kind === 'relation' ? relationIn(value) : undefined;
    if (read === undefined) return this.setAside(where, 'it is neither an entity nor a relation', JSON.stringify(value));
    if (!read.ok) return this.setAside(where, read.reason, JSON.stringify(value));
    const isIn = 'entity' in read ? this.#addEntity(read.entity, where, value) : this.#addRelation(read.relation, where);
    if (!isIn) return;
    for (const what of read.repaired) this.repair(where, what);
    if (read.others.length > 0) this.#leftOut(where, read.others, value);
  }

  #leftOut(where: string, members: readonly string[], value: unknown): void {
    this.setAside(where, `it is in the graph without ${members.join(', ')}, which a graph does not keep`, JSON.stringify(value));
  }

  #addEntity(entity: Entity, where: string, value: unknown): boolean {
    const known = this.#entities.get(entity.name);
    if (known === undefined) this.#entities.set(entity.name, { where, entity });
    else if (known.entity.entityType === entity.entityType) {
      this.repair(where, `the same entity is on ${known.where}: they are one now, with the observations of both`);
      const observations = [...new Set([...known.entity.observations, ...entity.observations])];
      known.entity = { ...known.entity, observations };
    } else {
      this.setAside(where, `an entity of this name and another type is on ${known.where}`, JSON.stringify(value));
      return false;
    }
    return true;
  }

  #addRelation(relation: Relation, where: string): boolean {
    const key = JSON.stringify([relation.from, relation.to, relation.relationType]);
    const known = this.#relations.get(key);
    if (known === undefined) this.#relations.set(key, { where, relation });
    else this.repair(where, `the same relation is on ${known.where}`);
    return true;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

interface OldForm {
  readonly entities?: readonly unknown[];
  readonly relations?: readonly unknown[];
}

/** Whether a value is a list, or the old form. */
function isContainer(value: unknown): value is readonly unknown[] | OldForm {
  if (isList(value)) return true;
  if (typeof value !== 'object' || value === null || 'type' in value) return false;
  const { entities, relations } = value as Record<string, unknown>;
  return [entities, relations].some(isList) && [entities, relations].every((list) => list === undefined || isList(list));
}
