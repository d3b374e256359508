/**
 * Declares settings: environment variables with their defaults, limits and a sentence about each.
 *
 * docs/configuration.md is written from these declarations by `npm run docs:settings`, so that one place states a setting: the default and
 * the limits are those of the schema, and `.describe('…')` adds the sentence. `.meta({ allowed: '…' })` says what is allowed if the schema
 * does not know it, and `.meta({ readBy: '…' })` names the processes if they are not all those with the declaration.
 */
import { z } from 'zod';

/** The groups of the page, in its order. */
export type SettingGroup =
  'data' | 'served' | 'listening' | 'callers' | 'waiting' | 'requests' | 'tasks' | 'logs' | 'operators' | 'agent' | 'tools';

/** A setting of a module that has been loaded. */
export interface DeclaredSetting {
  readonly name: string;
  readonly group: SettingGroup;
  readonly schema: z.ZodType;
}

const declared: DeclaredSetting[] = [];

/** Declares variables of a group. @returns the variables, for the schema of a process */
export function settings<Variables extends Readonly<Record<string, z.ZodType>>>(group: SettingGroup, variables: Variables): Variables {
  for (const [name, schema] of Object.entries(variables)) declared.push({ name, group, schema });
  return variables;
}

/** The settings of all modules that have been loaded. */
export function declaredSettings(): readonly DeclaredSetting[] {
  return declared;
}

/** What a setting may be that is an object, or a file with it. */
export const JSON_OR_PATH = 'JSON, or the path of a file with it';

/** A whole number between two bounds, with a default. */
export function wholeNumber(min: number, max: number, fallback: number) {
  return between(min, max).default(fallback);
}

/** A whole number between two bounds, or none. */
export function optionalWholeNumber(min: number, max: number) {
  return between(min, max).optional();
}

function between(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ allowed: `${min} to ${max}` });
}

/** A share: a number between two bounds, such as 0.85. */
export function share(min: number, max: number, fallback: number) {
  const message = `must be a number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^[01](\.\d{1,6})?$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .default(fallback)
    .meta({ allowed: `a number from ${min} to ${max}` });
}

/** A text. @param allowed what fits the pattern, such as `1 to 32 letters or digits` */
export function text(pattern: RegExp, allowed: string) {
  return z.string().regex(pattern, `must be ${allowed}`).meta({ allowed });
}

/** An address that a process listens on. */
export const address = text(/^[\w.:-]+$/, 'an address or a name to listen on').default('127.0.0.1');

/** Names separated by commas. */
export const list = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  )
  .default([]);

const flag = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1');

/** 1 for yes, 0 for no, which is the default. */
export const yesOrNo = flag.default(false);

/** 1 for yes, 0 for no, or none. */
export const optionalYesOrNo = flag.optional();

/** Proxies in front of a port, each of which adds the address that it sees to `X-Forwarded-For`. */
export const proxyHops = wholeNumber(0, 16, 0);
