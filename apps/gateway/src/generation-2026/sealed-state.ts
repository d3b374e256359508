/**
 * The `requestState` of multi round-trip requests: what a gateway wants to know when the client comes back,
 * encrypted and authenticated, so that the client can neither read nor change it, and any gateway with the
 * same secret can open it. It holds for one caller and one call, for a limited time.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Clock, JsonObject } from '@longhaul/tasks';
import { invalidParams } from '../errors.js';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** A client may ask its user in between. */
const KEPT_MS = 24 * 3_600_000;
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
  /** The URLs that the user was last asked to open: under which keys, and the how many-th time. */
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
  /** @throws ProtocolError -32602 when the client has answered so much that it could not send the state back */
  seal(state: RoundState, call: SealedFor): string;
  /** @returns undefined for anything that was not sealed for this call, or too long ago */
  open(text: string, call: SealedFor): RoundState | undefined;
}

/** What the seal goes by. */
export interface StateSealOptions {
  readonly clock?: Clock;
  /** Largest body of a request. */
  readonly bodyLimitBytes?: number;
}

/** @param secret shared by all gateways of a deployment */
export function createStateSeal(secret: string, { clock = Date.now, bodyLimitBytes = Infinity }: StateSealOptions = {}): StateSeal {
  const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(bodyLimitBytes * PART_OF_BODY));
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'longhaul request state', 32));
  return {
    seal(state, call) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(bindingOf(call));
      const text = JSON.stringify({ ...state, expiresAt: clock() + KEPT_MS });
      const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
      const sealedText = Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
      if (sealedText.length > maxCharacters)
        throw invalidParams(
          `inputResponses: too long together; the requestState with the answers so far would have ${sealedText.length} characters, and at most ${maxCharacters} are possible`,
        );
      return sealedText;
    },
    open(text, call) {
      if (text.length > maxCharacters || !/^[\w-]+$/.test(text)) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== text) return undefined;
      const plain = decrypted(bytes, key, bindingOf(call));
      if (plain === undefined) return undefined;
      const { expiresAt, ...state } = JSON.parse(plain) as RoundState & { readonly expiresAt: number };
      return expiresAt > clock() ? state : undefined;
    },
  };
}

function decrypted(bytes: Buffer, key: Buffer, binding: Buffer): string | undefined {
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

/** The same for the same values, in whatever order a client writes the members. */
function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedMembers);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return { members: members.map(([name, member]) => [name, sortedMembers(member)]) };
}
