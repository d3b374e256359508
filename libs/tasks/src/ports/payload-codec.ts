/**
 * How payloads are written where they are kept. Adapters pass each through a codec: as it is, or encrypted (`at-rest/encryption.ts`). What
 * scripts, indexes and operators' lists read stays plain: ids, versions, times, owners, tools, statuses, sizes.
 */
import { createHash } from 'node:crypto';
import { TaskError } from '../errors.js';
import { FORMATS } from '../formats.js';

/** Where a payload is. A value that is found at another place than it was written to is refused. */
export interface Place {
  /** What it is a part of, such as a task. Persisted, so frozen. */
  readonly kind: 'task' | 'session' | 'stream' | 'records' | 'signal' | 'response' | 'outcome';
  /** Which of them. */
  readonly id: string;
  /** Which of its values. */
  readonly field: string;
  /** The version that the value belongs to, where the place has versions. */
  readonly version?: number;
}

/** Makes of a payload what is kept at a place. */
export type Seal = (text: string, place: Place) => string;

/** A text that is the same for the same text, and says nothing of it: 43 characters. */
export type Digest = (text: string) => string;

/** A way to write payloads. */
export interface PayloadCodec {
  /** What writes the payloads of an owner; at once, unless its key has to be read first. @throws TaskError as `open` */
  sealFor(owner: string): Seal | Promise<Seal>;
  /** Whether a plain text is taken for a payload: it may be from before there were keys, or from somebody who has none. */
  readonly takesPlain: boolean;
  /**
   * What was written at the place; at once, unless its key has to be read first. A plain text is given back as it is, or refused where
   * none is taken.
   *
   * @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE`
   */
  open(text: string, place: Place): string | Promise<string>;
  /**
   * Digests of texts of an owner, which are kept for days. The first is written. What another process may have written, before it
   * encrypted or after, is one of the others.
   *
   * @throws TaskError as `open`
   */
  digestsFor(owner: string): readonly Digest[] | Promise<readonly Digest[]>;
}

/** What every encrypted value begins with. No JSON does. */
export const ENCRYPTED = `v${FORMATS.encryptedValue}.`;

/** Whether a text is an encrypted value. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(ENCRYPTED);
}

/** Writes what is not encrypted. */
export const AS_IT_IS: Seal = (text) => text;

/** Who has a text in mind can see whether it is that one. */
export const plainDigest: Digest = (text) => createHash('sha256').update(text).digest('base64url');

/** Without keys: everything is written as it is. */
export const PLAIN: PayloadCodec = {
  sealFor: () => AS_IT_IS,
  takesPlain: true,
  open(text) {
    if (isEncrypted(text)) throw new TaskError('KEY_MISSING', 'The value is encrypted, and this process has no keys: set LONGHAUL_KEYS.');
    return text;
  },
  digestsFor: () => [plainDigest],
};

/** What was written at a place where texts are plain by design. @throws what the codec throws for one that is encrypted all the same */
export function openByDesign(codec: PayloadCodec, text: string, place: Place): string | Promise<string> {
  return isEncrypted(text) ? codec.open(text, place) : text;
}

/** Goes on with a value that is there already, or soon. Without a promise nothing is put off. */
export function whenReady<T, R>(value: T | Promise<T>, goOn: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then((ready) => goOn(ready)) : goOn(value);
}

/** That something else is at a place than was written there. */
export function notGenuine({ kind, id, field, version }: Place): TaskError {
  const at = version === undefined ? '' : ` in version ${version}`;
  const [name] = field.split(' ');
  return new TaskError(
    'VALUE_NOT_GENUINE',
    `"${name}" of ${kind} ${id}${at} is not what was written there: something else has changed or moved it.`,
  );
}
