import { isWithin, range } from '@longhaul/tasks';
import type { Kind } from './reading.js';

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
