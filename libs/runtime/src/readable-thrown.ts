/** The depth to which a log reads. */
const MAX_DEPTH = 6;

/**
 * A thrown value of foreign code, in a form that is safe to read and to log. If reading it throws, such as a revoked proxy or a getter of a
 * message, the result is an Error that says so. Must be called where the value is caught.
 */
export function readableThrown(thrown: unknown): unknown {
  try {
    read(thrown, MAX_DEPTH);
    return thrown;
  } catch {
    return new Error('It threw an object that cannot be read.');
  }
}

/** Reads the parts that a log and an answer need. @throws what the value throws when it is read */
function read(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const members: readonly unknown[] = Object.values(value);
  if (!(value instanceof Error) && depth < MAX_DEPTH) return;
  const { name, message, stack, cause, errors }: Partial<Record<'name' | 'message' | 'stack' | 'cause' | 'errors', unknown>> = value;
  for (const text of [name, message, stack]) if (typeof text !== 'string') String(text);
  for (const part of [...members, cause, ...(Array.isArray(errors) ? errors : [])]) read(part, depth - 1);
}
