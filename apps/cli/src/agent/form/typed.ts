import { fieldKindOf } from '@longhaul/tasks';
import type { FieldValue, Kind } from './reading.js';

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
