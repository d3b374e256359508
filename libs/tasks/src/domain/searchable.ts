/** Reads the arguments by whose values operators find tasks, as the tool of a task declares them. */
import { isJsonObject, type Json, type JsonObject } from './json.js';

/** The most arguments of a tool that are searchable. */
export const MAX_SEARCHABLE = 8;
/** A longer value is not searchable, bytes. */
export const MAX_SEARCHABLE_BYTES = 1_024;

/** An argument of a task, and its value as a text. */
export interface ArgumentValue {
  /** Its path, such as `customer.id`. */
  readonly path: string;
  readonly value: string;
}

/** The argument of that path. */
export function argumentAt(args: JsonObject, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>((value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined), args);
}

/** The values of searchable arguments: texts, numbers and booleans that are not too long. */
export function searchableValues(args: JsonObject, paths: readonly string[]): readonly ArgumentValue[] {
  return paths.flatMap((path) => {
    const value = argumentAt(args, path);
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    return isTooLong(text) ? [] : [{ path, value: text }];
  });
}

/** Whether a value is too long to be searched by. */
export function isTooLong(text: string): boolean {
  return new TextEncoder().encode(text).length > MAX_SEARCHABLE_BYTES;
}
