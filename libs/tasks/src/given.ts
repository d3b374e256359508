/**
 * Checks what the code of an author gives to an operation. Types find the same mistakes, but JavaScript gives anything. Each error names the
 * operation and the argument.
 */
import { shown } from './domain/shown.js';
import { TaskError } from './errors.js';

/** An operation with the name that its author gave, as in `sleep "nap"`; without it if that is no text. */
export function operationNamed(operation: string, name: unknown): string {
  return typeof name === 'string' ? `${operation} "${name}"` : operation;
}

/**
 * The options of an operation.
 *
 * @param of as in `step "charge"`
 * @param members that they may have
 * @param refusal makes the error of its message
 * @throws TaskError `INVALID_KEY`, or what `refusal` makes, for what is no object, and for a member that there is not
 */
export function optionsOf<T extends object>(
  of: string,
  given: T | undefined,
  members: readonly (keyof T & string)[],
  refusal: (message: string) => Error = invalidKey,
): Partial<T> {
  if (given === undefined) return {};
  requireObject(of, 'options', given, refusal);
  const unknown = Object.keys(given).find((name) => !(members as readonly string[]).includes(name));
  if (unknown === undefined) return given;
  throw refusal(`${of} has no option ${JSON.stringify(unknown.toWellFormed())}; there are ${members.join(', ')}.`);
}

/** @throws TaskError `INVALID_KEY`, or what `refusal` makes, for what is no object */
export function requireObject(of: string, argument: string, given: unknown, refusal: (message: string) => Error = invalidKey): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw refusal(`${of}: ${argument} must be an object, and is ${shown(given)}.`);
}

/** @throws TaskError `INVALID_KEY` for what is no function */
export function requireFunction(of: string, argument: string, given: unknown): void {
  if (typeof given !== 'function') throw invalidKey(`${of}: ${argument} must be a function, and is ${shown(given)}.`);
}

function invalidKey(message: string): TaskError {
  return new TaskError('INVALID_KEY', message);
}
