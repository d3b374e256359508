/** Arguments that the operator's file gives to calls that leave them out. */
import type { Json } from '@longhaul/tasks';
import { z } from 'zod';

/** Of all defaults of a tool, their JSON. */
const MAX_BYTES = 65_536;

/** The value of an argument that a call leaves out. */
export interface DefaultArgument {
  readonly value: Json;
  /** Whether it has no variables, which may be secret: clients may see it. */
  readonly isShown: boolean;
}

/** As the file has them. */
export const defaultArguments = z
  .record(z.string().min(1), z.json())
  .refine((given) => Buffer.byteLength(JSON.stringify(given)) <= MAX_BYTES, `must have at most ${MAX_BYTES} bytes as JSON`);

/** With the variables in their texts replaced. @param expanded replaces the variables of one text */
export function readDefaults(
  given: z.output<typeof defaultArguments>,
  expanded: (member: string, text: string) => string,
): Readonly<Record<string, DefaultArgument>> {
  const members = Object.entries(given).map(([member, written]) => {
    const value = inTexts(written, (text) => expanded(member, text));
    return [member, { value, isShown: JSON.stringify(value) === JSON.stringify(written) }] as const;
  });
  return Object.fromEntries(members);
}

function inTexts(value: Json, replace: (text: string) => string): Json {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => inTexts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inTexts(member as Json, replace)]));
}
