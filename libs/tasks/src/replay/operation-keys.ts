/**
 * Makes the keys that identify operations: an operation's key is its name for the first use and `name:2`, `name:3`, … for later ones,
 * counted in the order of the calls. Names that begin with `$` are the context's own.
 */
import { TaskError } from '../errors.js';

const MAX_NAME_LENGTH = 128;

/** The beginning of the keys of changes. */
export const CHANGE_KEY = '$changed';

/** Whether the key belongs to a change of the code, which later code need not ask for. */
export function isChange(key: string): boolean {
  return key.startsWith(`${CHANGE_KEY}:`);
}

/** Hands out keys in the order of the calls of one pass. */
export class OperationKeys {
  private readonly uses = new Map<string, number>();

  /** The key of the next use of a name that the author chose. @throws TaskError `INVALID_KEY` */
  named(name: string): string {
    this.check(name);
    return this.next(name);
  }

  /** @throws TaskError `INVALID_KEY` for a name that an author may not choose */
  check(name: string): void {
    requireLength(name, 'A step, timer or signal name');
    if (name.startsWith('$') || /:\d+$/.test(name))
      throw new TaskError(
        'INVALID_KEY',
        `A step, timer or signal name neither begins with "$" nor ends with ":" and a number; got "${name}".`,
      );
  }

  /** The key of a change of the code: the same for every use. @throws TaskError `INVALID_KEY` */
  change(name: string): string {
    requireLength(name, 'The name of a change');
    return `${CHANGE_KEY}:${name}`;
  }

  /** The key of the next use of one of the context's own operations. */
  own(name: `$${string}`): string {
    return this.next(name);
  }

  private next(name: string): string {
    const use = (this.uses.get(name) ?? 0) + 1;
    this.uses.set(name, use);
    return use === 1 ? name : `${name}:${use}`;
  }
}

function requireLength(name: string, what: string): void {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_LENGTH)
    throw new TaskError('INVALID_KEY', `${what} has 1 to ${MAX_NAME_LENGTH} characters; got ${JSON.stringify(name)}.`);
}
