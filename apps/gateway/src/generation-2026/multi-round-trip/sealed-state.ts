/**
 * Makes and opens the `requestState` of multi-round-trip requests: facts that a gateway needs when the client comes back. It is encrypted
 * and authenticated, so that the client can neither read nor change it, and any gateway with the same key ring can open it. It is valid for
 * one caller and one call, for a limited time.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from '@longhaul/runtime/canonical-json';
import type { Clock, JsonObject } from '@longhaul/tasks';
import { invalidParams } from '../../rpc/errors.js';
import { type KeyRing, openedText, sealedText } from '@longhaul/runtime/keys';

const USE = 'request state';
/** The limit, unless requests have a smaller one. */
const MAX_CHARACTERS = 1024 * 1024;
/** The largest part of a request that the state may take; the rest is for the arguments and the next answers. */
const PART_OF_BODY = 0.75;

/** The sealed content. */
export interface RoundState {
  /** The task that the call waits for. */
  readonly taskId?: string;
  /** The client's answers so far, by the keys of the questions. */
  readonly answers: Record<string, JsonObject>;
  /** The URLs that the user was last asked to open: their keys, and the attempt number. */
  readonly opening?: { readonly round: number; readonly keys: readonly string[] };
}

/** The caller and the call. */
export interface SealedFor {
  readonly owner: string;
  readonly method: string;
  /** The params that identify the call: its name or URI, and its arguments. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Seals and opens states. */
export interface StateSeal {
  /**
   * @param leastMs how long the client may wait with its answer, if that is known
   * @throws ProtocolError -32602 when the client has answered so much that it could not send the state back
   */
  seal(state: RoundState, call: SealedFor, leastMs?: number): string;
  /** @returns undefined for a text that was not sealed for this call, or too long ago */
  open(text: string, call: SealedFor): RoundState | undefined;
}

/** The options of the seal. */
export interface StateSealOptions {
  readonly clock?: Clock;
  /** How long a state is valid, milliseconds: a client may ask its user in between. */
  readonly keptMs: number;
  /** The largest body of a request. */
  readonly bodyLimitBytes?: number;
}

/** @param ring shared by all gateways of a deployment */
export function createStateSeal(ring: KeyRing, options: StateSealOptions): StateSeal {
  const { clock = Date.now, keptMs, bodyLimitBytes = Infinity } = options;
  const maxCharacters = Math.min(MAX_CHARACTERS, Math.floor(bodyLimitBytes * PART_OF_BODY));
  return {
    seal(state, call, leastMs = 0) {
      const text = JSON.stringify({ ...state, expiresAt: clock() + Math.max(keptMs, leastMs) });
      const sealed = sealedText(ring, USE, text, bindingOf(call));
      if (sealed.length > maxCharacters)
        throw invalidParams(
          `inputResponses: too long together; the requestState with the answers so far would have ${sealed.length} characters, and at most ${maxCharacters} are possible`,
        );
      return sealed;
    },
    open(text, call) {
      const plain = openedText(ring, USE, text, { associated: bindingOf(call), maxCharacters });
      if (plain === undefined) return undefined;
      const { expiresAt, ...state } = JSON.parse(plain) as RoundState & { readonly expiresAt: number };
      return expiresAt > clock() ? state : undefined;
    },
  };
}

function bindingOf({ owner, method, params }: SealedFor): Buffer {
  const { name, uri, arguments: args } = params;
  return createHash('sha256')
    .update(canonicalJson([owner, method, name ?? uri, args ?? {}]))
    .digest();
}
