/** Defines one field of a form, which the user fills in by typing a line. */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/client';
import { type Kind, multipleChoice, type Reading, singleChoice, truth, typed } from './kinds.js';

/** A field as the protocol describes it. */
export type FieldSchema = ElicitRequestFormParams['requestedSchema']['properties'][string];

/** The input that a field accepts. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  /** The allowed input, such as `a whole number from 1 to 5`. */
  readonly hint: string;
  /** Of a choice, one line for each. */
  readonly choices: readonly string[];
  readonly isRequired: boolean;
  /** The value of an empty line, if it has one. */
  readonly default?: string;
  /** @returns the value, which is undefined where the field is left out, or what is wrong with the text */
  read(typed: string): Reading;
}

/** @throws TypeError for a field that no form can have */
export function fieldOf(name: string, schema: FieldSchema, isRequired: boolean): Field {
  const kind = kindOf(name, schema);
  const fallback = schema.default;
  return {
    name,
    title: schema.title ?? name,
    ...(schema.description !== undefined && { description: schema.description }),
    hint: kind.hint,
    choices: kind.choices ?? [],
    isRequired,
    ...(fallback !== undefined && { default: shown(fallback) }),
    read(typed) {
      const given = typed.trim();
      if (given !== '') return kind.read(given);
      if (fallback !== undefined) return { value: fallback };
      return isRequired ? { problem: 'An answer is needed.' } : { value: undefined };
    },
  };
}

function kindOf(name: string, schema: FieldSchema): Kind {
  if (schema.type === 'boolean') return truth();
  if (schema.type === 'number' || schema.type === 'integer') return typed(schema);
  if (schema.type === 'array') return multipleChoice(schema);
  if (schema.type !== 'string') throw new TypeError(`The field "${name}" is no text, number, yes or no, or choice.`);
  return 'enum' in schema || 'oneOf' in schema ? singleChoice(schema) : typed(schema);
}

function shown(value: NonNullable<FieldSchema['default']>): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
