/**
 * Makes the keys that identify operations: an operation's key is its name for the first use and `name:2`, `name:3`, … for later ones,
 * counted in the order of the calls. Names that begin with `$` are the context's own.
 *
 * Code that runs within a scope, such as the function of one item of `context.all`, has keys of its own: `name @ pages[3]`, and
 * `name:2 @ pages[3]`, which do not depend on what other scopes do. A scope within another one adds its label: `name @ inner[0] @ pages[3]`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { shown } from '../domain/shown.js';
import { TaskError } from '../errors.js';

const MAX_NAME_LENGTH = 128;
/** Of the labels of all scopes in which an operation is. */
const MAX_SCOPES_LENGTH = 512;

interface Scope {
  /** Those of the pass to which it belongs: a step may run another engine. */
  readonly keys: OperationKeys;
  /** What its keys end with. */
  readonly suffix: string;
}

const SCOPES = new AsyncLocalStorage<Scope>();

/** The beginning of the keys of changes. */
export const CHANGE_KEY = '$changed';

/** Whether the key belongs to a change of the code, which later code need not ask for. */
export function isChange(key: string): boolean {
  return key.startsWith(`${CHANGE_KEY}:`);
}

/** The scope of the steps that undo what a saga has done. */
export const UNDO_SCOPE = '$undo';

/** Whether the operation undoes something. */
export function isUndo(key: string): boolean {
  return key.includes(` @ ${UNDO_SCOPE}`);
}

/** Hands out keys in the order of the calls of one pass. */
export class OperationKeys {
  private readonly uses = new Map<string, number>();

  /**
   * The key of the next use of a name that the author chose.
   *
   * @param of the operation, in messages to its author
   * @throws TaskError `INVALID_KEY`
   */
  named(of: string, name: string): string {
    this.check(of, name);
    return this.next(escaped(name));
  }

  /** The key of the next use of checked names together. */
  joined(names: readonly string[]): string {
    return this.next(escaped(names.join('|')));
  }

  /** The label of a scope: its name, followed by its number from the second use on. @throws TaskError `INVALID_KEY` */
  scope(of: string, name: string): string {
    this.check(of, name);
    const label = escaped(name);
    const use = this.count(` @ ${label}${this.suffix}`);
    return use === 1 ? label : `${label}:${use}`;
  }

  /** Runs `work`, and all that it starts, in a scope within the present one. @throws TaskError `INVALID_KEY` when it is too deep */
  within<T>(label: string, work: () => T): T {
    const suffix = ` @ ${label}${this.suffix}`;
    if (suffix.length > MAX_SCOPES_LENGTH)
      throw new TaskError(
        'INVALID_KEY',
        `The names of what an operation is in have at most ${MAX_SCOPES_LENGTH} characters; got "${suffix}".`,
      );
    return SCOPES.run({ keys: this, suffix }, work);
  }

  /** @throws TaskError `INVALID_KEY` for a name that an author may not choose */
  check(of: string, name: string): void {
    requireLength(of, name);
    if (name.startsWith('$') || /:\d+$/.test(name))
      throw new TaskError('INVALID_KEY', `${of}: a name neither begins with "$" nor ends with ":" and a number, and is "${name}".`);
  }

  /** The key of a change of the code: the same for every use. @throws TaskError `INVALID_KEY` */
  change(name: string): string {
    requireLength('changed', name);
    return `${CHANGE_KEY}:${name}`;
  }

  /** The key of the next use of one of the context's own operations. */
  own(name: `$${string}`): string {
    return this.next(name);
  }

  /** The key of the first use of one of the context's own operations in the present scope; it does not count as a use. */
  here(name: `$${string}`): string {
    return `${name}${this.suffix}`;
  }

  private next(name: string): string {
    const { suffix } = this;
    const use = this.count(`${name}${suffix}`);
    return use === 1 ? `${name}${suffix}` : `${name}:${use}${suffix}`;
  }

  private count(key: string): number {
    const use = (this.uses.get(key) ?? 0) + 1;
    this.uses.set(key, use);
    return use;
  }

  private get suffix(): string {
    const scope = SCOPES.getStore();
    return scope?.keys === this ? scope.suffix : '';
  }
}

/** A name in which nothing looks like the beginning of a scope. */
export function escaped(name: string): string {
  return name.includes('@') ? name.replaceAll(/(?<=^| )@+(?=$| )/g, '@$&') : name;
}

function requireLength(of: string, name: unknown): void {
  if (typeof name === 'string' && name !== '' && name.length <= MAX_NAME_LENGTH) return;
  const given = typeof name === 'string' ? `has ${name.length}` : `is ${shown(name)}`;
  throw new TaskError('INVALID_KEY', `${of}: the name must be a text of 1 to ${MAX_NAME_LENGTH} characters, and ${given}.`);
}
