import { isJsonObject, type Json } from './json.js';

/** Applies a JSON merge patch (RFC 7396): members that are null are removed, other members are replaced, objects member by member. */
export function mergePatch(target: Json, patch: Json): Json {
  if (!isJsonObject(patch)) return patch;
  const merged = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch))
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, mergePatch(merged.get(name) ?? null, value));
  return Object.fromEntries(merged);
}
