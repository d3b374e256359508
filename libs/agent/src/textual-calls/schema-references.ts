/**
 * Resolves the references of a JSON Schema within the schema: pointers, anchors, and the ids of its parts. Others lead to nothing, because
 * no schema is fetched.
 */
import { isJsonObject, type Json, type JsonObject } from '@longhaul/tasks';

/** Keywords with data as their value, in which nothing is a keyword. */
const DATA = new Set(['enum', 'const', 'default', 'examples']);
/** Keywords with schemas by arbitrary names as their value. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const NOWHERE = 'https://schema.invalid/';

/** The schema that a schema refers to, if it does; true, for anything, where nothing is found. */
export type Resolve = (schema: JsonObject) => Json | undefined;

const known = new WeakMap<JsonObject, Resolve>();

/** Looks through a schema, once. */
export function referencesOf(root: JsonObject): Resolve {
  const resolve = known.get(root) ?? lookThrough(root);
  known.set(root, resolve);
  return resolve;
}

function lookThrough(root: JsonObject): Resolve {
  const bases = new Map<JsonObject, string>();
  const places = new Map<string, Json>();
  const visit = (value: Json | undefined, base: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, base);
    if (!isJsonObject(value) || bases.has(value)) return;
    const id = textOf(value['$id']);
    const own = id === undefined ? base : (URL.parse(id, base)?.href ?? base).replace(/#.*$/, '');
    bases.set(value, own);
    if (own !== base || value === root) setOnce(places, own, value);
    // Draft 7 has anchors in ids.
    for (const anchor of [value['$anchor'], value['$dynamicAnchor'], id?.replace(/^[^#]*#?/, '')])
      if (typeof anchor === 'string' && anchor !== '') setOnce(places, `${own}#${anchor}`, value);
    for (const [keyword, inner] of Object.entries(value)) {
      if (NAMED.has(keyword) && isJsonObject(inner)) for (const one of Object.values(inner)) visit(one, own);
      else if (!DATA.has(keyword)) visit(inner, own);
    }
  };
  visit(root, NOWHERE);
  return (schema) => {
    const reference = textOf(schema['$ref']) ?? textOf(schema['$dynamicRef']) ?? textOf(schema['$recursiveRef']);
    if (reference === undefined) return undefined;
    const url = URL.parse(reference, bases.get(schema) ?? NOWHERE);
    if (url === null) return true;
    const fragment = decoded(url.hash.slice(1));
    const resource = url.href.replace(/#.*$/, '');
    const place = fragment === '' || fragment.startsWith('/') ? at(places.get(resource), fragment) : places.get(`${resource}#${fragment}`);
    return place ?? true;
  };
}

function setOnce(places: Map<string, Json>, key: string, value: Json): void {
  if (!places.has(key)) places.set(key, value);
}

function at(resource: Json | undefined, pointer: string): Json | undefined {
  let place = resource;
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(place)) place = place[Number(key)];
    else place = isJsonObject(place) && Object.hasOwn(place, key) ? place[key] : undefined;
  }
  return place;
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
