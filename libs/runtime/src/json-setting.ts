import { withoutByteOrderMark } from './byte-order-mark.js';
import { placeInJson } from './json-place.js';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** A setting that is JSON of the given shape, or the path of a file with it; or none. */
export function jsonSetting<Shape extends z.ZodType>(shape: Shape) {
  return z
    .string()
    .transform((text, context): z.output<Shape> => {
      try {
        const checked = shape.safeParse(JSON.parse(withoutByteOrderMark(jsonOf(text))));
        if (checked.success) return checked.data;
        context.addIssue(describeFields(checked.error));
      } catch (error) {
        context.addIssue(problemOf(text, error));
      }
      return z.NEVER;
    })
    .optional();
}

/** Lists each wrong field by its path, with the expected value. */
export function describeFields({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.length === 0 ? 'JSON' : path.join('.')}: ${message}`).join('; ');
}

function jsonOf(text: string): string {
  return isJsonItself(text) ? text : readFileSync(text, 'utf8');
}

function isJsonItself(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function problemOf(text: string, error: unknown): string {
  if (error instanceof SyntaxError) return `${isJsonItself(text) ? '' : `the file ${text} `}is no JSON${placeInJson(error)}`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  return `must be JSON, or the path of a file that has it; it is no JSON, and no such file can be read (${code})`;
}
