/**
 * Defines how stored payloads are written. Adapters pass each payload through a codec: unchanged, or encrypted (`at-rest/encryption.ts`).
 * Everything that scripts, indexes and operators' lists read stays plain: ids, versions, times, owners, tools, statuses, sizes.
 */
import { createHash } from 'node:crypto';
import { TaskError } from '../errors.js';
import { FORMATS } from '../formats.js';

/** The location of a payload. A value that is found at another location than it was written to is refused. */
export interface Place {
  /** The kind of thing that it is a part of, such as a task. Persisted, so frozen. */
  readonly kind:
    | 'task'
    | 'session'
    | 'stream'
    | 'records'
    | 'signal'
    | 'response'
    | 'outcome'
    | 'webhook'
    | 'report'
    | 'schedule'
    | 'callback'
    | 'hold'
    | 'value';
  /** Which of them. */
  readonly id: string;
  /** Which of its values. */
  readonly field: string;
  /** The version that the value belongs to, if the location has versions. */
  readonly version?: number;
}

/** Turns a payload into the value that is kept at a location. */
export type Seal = (text: string, place: Place) => string;

/** Makes a digest: the same for the same text, without revealing it; 43 characters. */
export type Digest = (text: string) => string;

/** A way to write payloads. */
export interface PayloadCodec {
  /** Returns the writer of an owner's payloads; synchronously, unless its key must be read first. @throws TaskError as `open` */
  sealFor(owner: string): Seal | Promise<Seal>;
  /** Whether a plain text is accepted as a payload: it may be from before keys were configured, or from a process without keys. */
  readonly takesPlain: boolean;
  /**
   * Returns the payload that was written at the location; synchronously, unless its key must be read first. A plain text is returned
   * unchanged, or refused where plain texts are not accepted.
   *
   * @throws TaskError `KEY_MISSING`, `VALUE_NOT_GENUINE`, `STORE_UNAVAILABLE`
   */
  open(text: string, place: Place): string | Promise<string>;
  /**
   * Digests of texts of an owner, which are kept for days. The first digest is the one to write. The others are those that another process
   * may have written, before it encrypted or after.
   *
   * @throws TaskError as `open`
   */
  digestsFor(owner: string): readonly Digest[] | Promise<readonly Digest[]>;
}

/** The beginning of every encrypted value. No JSON begins so. */
export const ENCRYPTED = `v${FORMATS.encryptedValue}.`;

/** Whether a text is an encrypted value. */
export function isEncrypted(text: string): boolean {
  return text.startsWith(ENCRYPTED);
}

/** Writes payloads without encryption. */
export const AS_IT_IS: Seal = (text) => text;

/** A reader who guesses a text can check the guess. */
export const plainDigest: Digest = (text) => createHash('sha256').update(text).digest('base64url');

/** The codec without keys: everything is written unchanged. */
export const PLAIN: PayloadCodec = {
  sealFor: () => AS_IT_IS,
  takesPlain: true,
  open(text) {
    if (isEncrypted(text)) throw new TaskError('KEY_MISSING', 'The value is encrypted, and this process has no keys: set LONGHAUL_KEYS.');
    return text;
  },
  digestsFor: () => [plainDigest],
};

/** Reads a value at a location where texts are plain by design. @throws the codec's error if the value is encrypted nevertheless */
export function openByDesign(codec: PayloadCodec, text: string, place: Place): string | Promise<string> {
  return isEncrypted(text) ? codec.open(text, place) : text;
}

/** Continues with a value that is there already, or soon. Without a promise it continues synchronously. */
export function whenReady<T, R>(value: T | Promise<T>, goOn: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then((ready) => goOn(ready)) : goOn(value);
}

/** Reports that a location has another value than was written there. */
export function notGenuine({ kind, id, field, version }: Place): TaskError {
  const at = version === undefined ? '' : ` in version ${version}`;
  const [name] = field.split(' ');
  return new TaskError(
    'VALUE_NOT_GENUINE',
    `"${name}" of ${kind} ${id}${at} is not what was written there: something else has changed or moved it.`,
  );
}
