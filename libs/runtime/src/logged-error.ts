/**
 * Decides what is logged of an error. An error of ioredis contains the failed command with all its arguments, including passwords (`AUTH`)
 * and the data of tasks, and Redis repeats the arguments of an unknown command. None of these arguments are logged: they are removed from
 * the error itself and from all errors in it, such as causes, the errors of a transaction, and the errors of a cluster's nodes.
 */
const MAX_DEPTH = 6;

/** The part of Redis' message with the arguments of an unknown command, up to the end of the line. */
const ECHOED_ARGUMENTS = /(with args beginning with:).*/g;

/** The error as an object for a JSON log; any other value unchanged. */
export function loggedError(error: unknown): unknown {
  return error instanceof Error ? plainError(error, MAX_DEPTH) : error;
}

function plainError(error: Error, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = {
    type: error.constructor.name || error.name,
    message: withoutArguments(error.message),
    stack: withoutArguments(error.stack ?? ''),
  };
  if (error instanceof AggregateError) plain['errors'] = plainValue(error.errors, depth - 1);
  for (const [name, value] of Object.entries(error)) {
    if (name === 'command') plain[name] = nameOf(value);
    else if (name !== 'cause' && !(name in plain)) plain[name] = plainValue(value, depth - 1);
  }
  if (error.cause !== undefined) plain['cause'] = plainValue(error.cause, depth - 1);
  return plain;
}

function plainValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (value instanceof Error) return plainError(value, depth);
  return Array.isArray(value) ? value.map((item) => plainValue(item, depth - 1)) : value;
}

function nameOf(command: unknown): unknown {
  return typeof command === 'object' && command !== null && 'name' in command ? command.name : undefined;
}

function withoutArguments(text: string): string {
  return text.replaceAll(ECHOED_ARGUMENTS, '$1 …');
}
