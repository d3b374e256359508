/**
 * The `requestState` of multi round-trip requests: what a gateway wants to know when the client comes back,
 * encrypted and authenticated, so that the client can neither read nor change it, and any gateway with the
 * same key ring can open it. It holds for one caller and one call, for a limited time.
 */
import { createCipheriv, createDecipheriv, createHash, type KeyObject, randomBytes } from 'node:crypto';
import type { Clock, JsonObject } from '@longhaul/tasks';
import { invalidParams } from '../../rpc/errors.js';
import { KEY_ID_LENGTH, type KeyRing } from '@longhaul/runtime/keys';

const ALGORITHM = 'aes-256-gcm';
const USE = 'request state';
// oxlint-disable-next-line no-restricted-globals -- Of constants.
const FORM = new RegExp(`^([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]+)$`);
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Unless requests are limited to less. */
const MAX_CHARACTERS = 1024 * 1024;
/** The part of a request that the state may be; the rest is for the arguments and the next answers. */
const PART_OF_BODY = 0.75;

/** What is sealed. */
export interface RoundState {
  /** The task that the call waits for. */
  readonly taskId?: string;
  /** The client's answers so far, by the keys of what it was asked. */
  readonly answers: Record<string, JsonObject>;
  /** The URLs that the user was last asked to open: their keys, and the attempt number. */
  readonly opening?: { readonly round: number; readonly keys: readonly string[] };
}

/** Whose call it is, and which. */
export interface SealedFor {
  readonly owner: string;
  readonly method: string;
  /** The params that make it this call: its name or URI, and its arguments. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Seals and opens states. */
export interface StateSeal {
  /**
   * @param leastMs how long the client may wait with its answer, where that is known
   * @throws ProtocolError -32602 when the client has answered so much that it could not send the state back
   */
  seal(state: RoundState, call: SealedFor, leastMs?: number): string;
  /** @returns undefined for anything that was not sealed for this call, or too long ago */
  open(text: string, call: SealedFor): RoundState | undefined;
}

/** What the seal goes by. */
export interface StateSealOptions {
  readonly clock?: Clock;
  /** How long a state holds, milliseconds: a client may ask its user in between. */
  readonly keptMs: number;
  /** Largest body of a request. */
  readonly bodyLimitBytes?: number;
}

/** @param ring shared by all gateways of a deployment */
export function createStateSeal(ring: KeyRing, options: StateSealOptions): StateSeal {
  const { clock = Date.now, keptMs, bodyLimitBytes = Infinity } = options;
  const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(bodyLimitBytes * PART_OF_BODY));
  return {
    seal(state, call, leastMs = 0) {
      const { current: key } = ring;
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key.of(USE), iv).setAAD(bindingOf(call));
      const text = JSON.stringify({ ...state, expiresAt: clock() + Math.max(keptMs, leastMs) });
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      const sealedText = `${key.id}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
      if (sealedText.length > maxCharacters)
        throw invalidParams(
          `inputResponses: too long together; the requestState with the answers so far would have ${sealedText.length} characters, and at most ${maxCharacters} are possible`,
        );
      return sealedText;
    },
    open(text, call) {
      if (text.length > maxCharacters) return undefined;
      const [, id = '', sealed = ''] = FORM.exec(text) ?? [];
      const key = ring.key(id);
      const bytes = Buffer.from(sealed, 'base64url');
      if (key === undefined || bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return undefined;
      const plain = decrypted(bytes, key.of(USE), bindingOf(call));
      if (plain === undefined) return undefined;
      const { expiresAt, ...state } = JSON.parse(plain) as RoundState & { readonly expiresAt: number };
      return expiresAt > clock() ? state : undefined;
    },
  };
}

function decrypted(bytes: Buffer, key: KeyObject, binding: Buffer): string | undefined {
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(binding).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return undefined; // Changed, or sealed for another call or by another secret.
  }
}

function bindingOf({ owner, method, params }: SealedFor): Buffer {
  const { name, uri, arguments: args } = params;
  return createHash('sha256')
    .update(JSON.stringify([owner, method, name ?? uri, sortedMembers(args ?? {})]))
    .digest();
}

/**
 * The same for the same values, in any order of the members. In these bytes all gateways of a deployment agree, also while it
 * is upgraded, so they are not left to a library for canonical JSON, which writes others.
 */
function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedMembers);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, sortedMembers(member)]) };
}
