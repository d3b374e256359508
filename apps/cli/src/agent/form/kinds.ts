/** Defines the kinds of fields of a form, and reads the values that the user types. */
import { fieldKindOf, isWithin, range } from '@longhaul/tasks';

/** A value of a form. */
export type FieldValue = string | number | boolean | string[];

/** The value of a typed text. */
export type Reading = { readonly value: FieldValue | undefined } | { readonly problem: string };

/** A kind of field. */
export interface Kind {
  readonly hint: string;
  readonly choices?: readonly string[];
  /** @param given not empty, without space around it */
  read(given: string): Reading;
}

/** A text or a number, typed as what the form takes for it. */
export function typed(schema: object): Kind {
  const { wanted, read } = fieldKindOf(schema);
  return {
    hint: wanted,
    read(given) {
      const value = read(given);
      return value === undefined ? { problem: `It has to be ${wanted}.` } : { value: value as FieldValue };
    },
  };
}

const YES = new Set(['yes', 'y', 'true']);
const NO = new Set(['no', 'n', 'false']);

/** Yes or no. */
export function truth(): Kind {
  return {
    hint: 'yes or no',
    read(given) {
      const word = given.toLowerCase();
      return YES.has(word) || NO.has(word) ? { value: YES.has(word) } : { problem: 'It has to be yes or no.' };
    },
  };
}

interface Choice {
  readonly value: string;
  readonly title: string;
}

type Titled = readonly { readonly const: string; readonly title: string }[];

/** One of several values. */
export function singleChoice(schema: {
  readonly enum?: readonly string[] | undefined;
  readonly enumNames?: readonly string[] | undefined;
  readonly oneOf?: Titled | undefined;
}): Kind {
  const choices = choicesOf(schema.enum, schema.enumNames, schema.oneOf);
  return {
    hint: 'a number of the list',
    choices: lines(choices),
    read(given) {
      const value = chosen(choices, given);
      return value === undefined ? { problem: `"${given}" is not in the list.` } : { value };
    },
  };
}

interface MultipleChoice {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly items: { readonly enum?: readonly string[] | undefined; readonly anyOf?: Titled | undefined };
}

/** Several values, each once, in the order of the list. */
export function multipleChoice({ items, minItems, maxItems }: MultipleChoice): Kind {
  const choices = choicesOf(items.enum, undefined, items.anyOf);
  const count = range(minItems, maxItems);
  return {
    hint: `numbers of the list, separated by commas${count === '' ? '' : `, ${count} of them`}`,
    choices: lines(choices),
    read(given) {
      const typed = given.split(',').map((part) => part.trim());
      const values = typed.filter((part) => part !== '').map((part) => ({ part, value: chosen(choices, part) }));
      const unknown = values.find(({ value }) => value === undefined);
      if (unknown !== undefined) return { problem: `"${unknown.part}" is not in the list.` };
      const wanted = choices.map(({ value }) => value).filter((value) => values.some((one) => one.value === value));
      return isWithin(wanted.length, minItems, maxItems) ? { value: wanted } : { problem: `It has to be ${count} of them.` };
    },
  };
}

function choicesOf(values: readonly string[] = [], names: readonly string[] = [], titled: Titled = []): readonly Choice[] {
  const untitled = values.map((value, index) => ({ value, title: names[index] ?? value }));
  return [...untitled, ...titled.map(({ const: value, title }) => ({ value, title }))];
}

function lines(choices: readonly Choice[]): readonly string[] {
  return choices.map(({ title }, index) => `${index + 1}. ${title}`);
}

/** By its value, its title or its number. A value that is a number is meant before the number of another one. */
function chosen(choices: readonly Choice[], given: string): string | undefined {
  const same = (text: string): boolean => text.toLowerCase() === given.toLowerCase();
  const choice =
    choices.find(({ value }) => value === given) ??
    choices.find(({ value, title }) => same(value) || same(title)) ??
    (/^\d+$/.test(given) ? choices[Number(given) - 1] : undefined);
  return choice?.value;
}
