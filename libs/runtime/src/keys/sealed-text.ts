/**
 * Seals texts that others keep for the deployment and send back: `<key id>.<base64url>`. Only processes with the same key ring can read
 * one, and only for its purpose; a changed text cannot be opened.
 */
import { KEY_ID_LENGTH, type KeyRing, type KeyUse } from './key-ring.js';
import { decrypted, encrypted } from './seal.js';

// oxlint-disable-next-line no-restricted-globals -- Of constants.
const FORM = new RegExp(`^([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]+)$`);

/** @param associated must be the same when it is opened */
export function sealedText({ current }: KeyRing, use: KeyUse, plain: string, associated: string | Buffer): string {
  return `${current.id}.${encrypted(current.of(use), plain, associated).toString('base64url')}`;
}

/** @param maxCharacters of a text that is looked at at all. @returns undefined for any other text */
export function openedText(
  ring: KeyRing,
  use: KeyUse,
  text: string,
  { associated, maxCharacters }: { readonly associated: string | Buffer; readonly maxCharacters: number },
): string | undefined {
  if (text.length > maxCharacters) return undefined;
  const [, id = '', sealed = ''] = FORM.exec(text) ?? [];
  const key = ring.key(id);
  const bytes = Buffer.from(sealed, 'base64url');
  if (key === undefined || bytes.toString('base64url') !== sealed) return undefined;
  return decrypted(key.of(use), bytes, associated)?.toString();
}
