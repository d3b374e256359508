/**
 * The SDK takes the answers out of a request before a handler sees it, and gives the handler an empty object
 * for whatever is none. `tasks/update` refuses such answers, so they are left out of its params: then the
 * handler gets none at all.
 */
import { z } from 'zod';

const Unreadable = z.looseObject({
  method: z.literal('tasks/update'),
  params: z.looseObject({ inputResponses: z.unknown().refine((value) => !isObject(value)) }),
});

/** The message, so that the answers in it are either an object or missing. */
export function readableUpdate(body: unknown): unknown {
  const parsed = Unreadable.safeParse(body);
  if (!parsed.success) return body;
  const { params, ...message } = parsed.data;
  const { inputResponses: _inputResponses, ...rest } = params;
  return { ...message, params: rest };
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
