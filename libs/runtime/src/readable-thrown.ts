/** As deep as a log looks. */
const MAX_DEPTH = 6;

/**
 * What code of others has thrown, as it can be looked at and logged: in place of what throws when it is read, such as a proxy that was
 * revoked or a getter of a message, an Error says so. To be called where it is caught.
 */
export function readableThrown(thrown: unknown): unknown {
  try {
    read(thrown, MAX_DEPTH);
    return thrown;
  } catch {
    return new Error('It threw an object that cannot be read.');
  }
}

/** Reads what a log and an answer read of it. @throws what it throws when it is read */
function read(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const members: readonly unknown[] = Object.values(value);
  if (!(value instanceof Error) && depth < MAX_DEPTH) return;
  const { name, message, stack, cause, errors }: Partial<Record<'name' | 'message' | 'stack' | 'cause' | 'errors', unknown>> = value;
  for (const text of [name, message, stack]) if (typeof text !== 'string') String(text);
  for (const part of [...members, cause, ...(Array.isArray(errors) ? errors : [])]) read(part, depth - 1);
}
