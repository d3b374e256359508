/** Reads which values of arguments tasks are looked for by: one text in the API, on the command line and in the address of the page. */
import { type ArgumentValue, isTooLong, MAX_SEARCHABLE, MAX_SEARCHABLE_BYTES } from '@longhaul/tasks';
import { z } from 'zod';

const PART = /([^\s="]+)=("(?:[^"\\]|\\.)*"|[^\s"]\S*)(?:\s+|$)/gy;
const FORM = 'must be NAME=VALUE, such as orderId=4711, with a value of several words in quotes: customer.name="Ada Lovelace"';

/** The arguments and their values. @throws RangeError that says what is wrong */
export function argumentsIn(text: string): readonly ArgumentValue[] {
  const parts = [...text.trim().matchAll(PART)];
  if (parts.length === 0 || parts.reduce((sum, [part]) => sum + part.length, 0) < text.trim().length) throw new RangeError(FORM);
  if (parts.length > MAX_SEARCHABLE) throw new RangeError(`names ${parts.length} arguments; at most ${MAX_SEARCHABLE} can be looked for`);
  return parts.map(([, path = '', given = '']) => {
    const value = given.startsWith('"') ? unquoted(given) : given;
    if (isTooLong(value))
      throw new RangeError(`has a value of "${path}" that is longer than ${MAX_SEARCHABLE_BYTES} bytes, which no search finds`);
    return { path, value };
  });
}

function unquoted(given: string): string {
  try {
    return JSON.parse(given) as string;
  } catch {
    throw new RangeError(FORM);
  }
}

/** Only the names: values may be secret, and the audit log is not encrypted. */
export function namesIn(text: string): string {
  return argumentsIn(text)
    .map(({ path }) => path)
    .join(' ');
}

/** The member of a filter. */
export const Where = z
  .string()
  .max(10_000)
  .superRefine((text, context) => {
    try {
      argumentsIn(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  })
  .describe('Values of searchable arguments, all of which a task has: `orderId=4711 customer.name="Ada Lovelace"`.');
