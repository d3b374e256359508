/** Checks what a program gives to a starter: each problem names the argument, the member and the limit. */
import { durationOf, FIELD_LIMITS, type Json, type JsonObject, notJson, tooLong } from '@longhaul/tasks';
import { StarterError } from './errors.js';

/** @throws StarterError `INVALID_OPTIONS` */
export function invalidOptions(message: string): StarterError {
  return new StarterError('INVALID_OPTIONS', message);
}

/** A text with at least one character. @throws StarterError `INVALID_OPTIONS` */
export function textOf<T extends string | undefined>(field: string, text: T, maxBytes: number): T {
  if (text === undefined) return text;
  if (typeof text !== 'string' || text === '') throw invalidOptions(`${field} must be a text that is not empty.`);
  if (!text.isWellFormed()) throw invalidOptions(`${field} has half of a character (a lone surrogate).`);
  const problem = tooLong(field, text, maxBytes);
  if (problem !== undefined) throw invalidOptions(`${problem}.`);
  return text;
}

/** The longest name of an owner, bytes. */
const OWNER_BYTES = 1_024;

/** An owner. @throws StarterError `INVALID_OPTIONS` */
export function ownerOf(call: string, owner: string | undefined): string | undefined {
  return textOf(`${call}: owner`, owner, OWNER_BYTES);
}

/** An idempotency key. @throws StarterError `INVALID_OPTIONS` */
export function keyOf(key: string | undefined): string | undefined {
  return textOf('start: idempotencyKey', key, FIELD_LIMITS.idempotencyKeyBytes);
}

/** A time, rounded up to whole milliseconds. @throws StarterError `INVALID_OPTIONS` */
export function timeOf(field: string, ms: number | undefined, least: number): number | undefined {
  return ms === undefined ? undefined : durationOf(field, ms, least, invalidOptions);
}

/** The value as it will be recorded. @throws StarterError that names the place of what is not JSON */
export function jsonOf(field: string, value: unknown, code: string): Json {
  const why = value === undefined ? 'value is undefined' : notJson(value);
  if (why !== undefined) throw new StarterError(code, `${field} is not JSON: ${why}.`);
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** The input of a tool. @throws StarterError `INVALID_ARGUMENTS` */
export function inputOf(input: unknown): JsonObject {
  const json = jsonOf('The input', input ?? {}, 'INVALID_ARGUMENTS');
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new StarterError('INVALID_ARGUMENTS', 'The input must be an object.');
  return json as JsonObject;
}
