/**
 * Keeps the tokens that tokens of callers were exchanged for, for tasks: these run after the request, on any worker, for days. A record has
 * the token for the server, and what renews it. It never has the token of the caller. The store has to encrypt what is written.
 *
 * One process at a time renews a token: it writes down that it does before it asks, because a refresh token may be good only once. If it
 * dies before it has written what it got, another process tries again with the old one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { OwnerStore } from '@longhaul/sessions';
import { isJsonObject, type Json, type OwnerCollection, type Records, type RecordUpdate } from '@longhaul/tasks';
import type { ExchangingServer } from '../config/server-config.js';
import { CredentialsExpired, ServerAuthError } from './auth-errors.js';
import { authorityOf } from './authorization-server.js';
import { type Credentials, withToken } from './credentials.js';
import { earlyMs, type GottenToken, type IssuedToken, KeptToken } from './kept-token.js';

const COLLECTION = 'tokens';
const FORMAT = 1;
/** How long a token is kept after its last use: a task is forgotten after seven days. */
const KEEP_MS = 8 * 24 * 3_600_000;
/** Of one account: the oldest go first. */
const MAX_RECORDS = 256;
/** How long a process may take to renew one, before another process does. */
const TURN_MS = 60_000;
const LOOK_MS = 200;
/** How long a process uses a token before it reads it again. */
const READ_MS = 600_000;
/** Tokens that a process remembers; the one that was used the longest time ago is forgotten first. */
const MAX_REMEMBERED = 10_000;

/** For whom a token is, at which server. */
export interface TokenPlace {
  readonly config: ExchangingServer;
  /** Unique to the caller and its rights. */
  readonly caller: string;
  /** The account under which the token is kept. */
  readonly account: string;
}

interface Kept extends GottenToken {
  readonly format: typeof FORMAT;
  /** The process that renews it now, and until when others leave it alone. */
  readonly turn?: { readonly of: string; readonly until: number } | undefined;
}

/** A token in the memory of a process. */
interface Remembered {
  readonly token: KeptToken;
  /** The token that the server takes no more. */
  refused: string | undefined;
}

export class KeptTokens {
  readonly #remembered = new Map<string, Remembered>();

  constructor(
    private readonly store: OwnerStore,
    private readonly now: () => number = Date.now,
  ) {}

  /** Keeps a token, unless a newer one is kept. @throws TaskError `STORE_UNAVAILABLE`, `STORE_FULL` */
  async put(place: TokenPlace, gotten: GottenToken): Promise<void> {
    const id = idOf(place);
    await this.#collectionOf(place).update((records) => {
      const known = keptIn(records, id);
      const isNewer = known === undefined || known.gotAt < gotten.gotAt;
      return { changes: isNewer ? [changeOf(id, gotten), ...this.#old(records, id)] : [], result: undefined };
    });
  }

  /** The caller's credentials at a server, in a task. Nothing is read before that is needed. */
  credentials(place: TokenPlace): Credentials {
    const id = idOf(place);
    const given = withToken(place.config, {
      get: () => this.#of(id, place).token.get(),
      refuse: (token) => {
        const remembered = this.#of(id, place);
        remembered.refused = token;
        return remembered.token.refuse(token);
      },
    });
    return {
      refuse: (headers) => given.refuse(headers),
      headers: async () => {
        try {
          return await given.headers();
        } catch (error) {
          // The caller may show another token in the next moment.
          if (error instanceof CredentialsExpired) this.#remembered.delete(id);
          throw error;
        }
      },
    };
  }

  #of(id: string, place: TokenPlace): Remembered {
    const remembered = this.#remembered.get(id) ?? this.#remember(place);
    this.#remembered.delete(id);
    this.#remembered.set(id, remembered);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MAX_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return remembered;
  }

  #remember(place: TokenPlace): Remembered {
    const remembered: Remembered = {
      refused: undefined,
      token: new KeptToken(async () => {
        const { token, expiresAt = Infinity } = await this.#good(place, remembered.refused);
        return { token, expiresAt: Math.min(expiresAt, this.now() + READ_MS) };
      }, this.now),
    };
    return remembered;
  }

  /** The token that is kept, renewed if that is due. @throws CredentialsExpired; AuthorizationServerAway; ServerAuthError; TaskError */
  async #good(place: TokenPlace, refused: string | undefined): Promise<IssuedToken> {
    const { name } = place.config;
    const id = idOf(place);
    for (;;) {
      const kept = await this.#collectionOf(place).read((records) => keptIn(records, id));
      if (kept === undefined) throw new CredentialsExpired(name, 'none is kept');
      const endsAt = kept.expiresAt ?? Infinity;
      const isGood = kept.token !== refused && this.now() < endsAt;
      const isDue = kept.token === refused || (endsAt !== Infinity && this.now() >= endsAt - earlyMs(endsAt - kept.gotAt));
      if (isGood && (!isDue || kept.refreshToken === undefined)) return kept;
      if (kept.refreshToken === undefined) throw new CredentialsExpired(name, expiry(kept, refused));
      const of = randomUUID();
      if (await this.#takeTurn(place, kept, of)) {
        const renewed = await this.#renew(place, kept, of, isGood);
        if (renewed !== undefined) return renewed;
      } else if (isGood) return kept;
      else await wait(LOOK_MS);
    }
  }

  /** @returns whether this process renews the token now, because no other one does */
  #takeTurn(place: TokenPlace, { token }: Kept, of: string): Promise<boolean> {
    const id = idOf(place);
    return this.#collectionOf(place).update((records) => {
      const now = this.now();
      const kept = keptIn(records, id);
      const isFree = kept?.token === token && (kept.turn === undefined || kept.turn.until <= now);
      return { changes: isFree ? [changeOf(id, { ...kept, turn: { of, until: now + TURN_MS } })] : [], result: isFree };
    });
  }

  /** @returns nothing if nothing renews the token any more. @throws AuthorizationServerAway while the token that is kept is not good */
  async #renew(place: TokenPlace, kept: Kept, of: string, isGood: boolean): Promise<GottenToken | undefined> {
    const { refreshToken = '', token, expiresAt, gotAt } = kept;
    try {
      const issued = { refreshToken, ...(await authorityOf(place.config).refresh(refreshToken)), gotAt: this.now() };
      await this.#endTurn(place, of, issued);
      return issued;
    } catch (error) {
      // What is refused now is refused later.
      const isOver = error instanceof ServerAuthError;
      await this.#endTurn(place, of, { token, expiresAt, gotAt, ...(!isOver && { refreshToken }) });
      if (isOver) return undefined;
      if (isGood) return kept;
      throw error;
    }
  }

  /** Writes the new token, unless another process has written one since. */
  async #endTurn(place: TokenPlace, of: string, { token, expiresAt, refreshToken, gotAt }: GottenToken): Promise<void> {
    const id = idOf(place);
    await this.#collectionOf(place).update((records) => {
      const isOurs = keptIn(records, id)?.turn?.of === of;
      return { changes: isOurs ? [changeOf(id, { token, expiresAt, refreshToken, gotAt })] : [], result: undefined };
    });
  }

  #collectionOf({ account }: TokenPlace): OwnerCollection {
    return this.store.of({ id: `longhaul/caller-tokens/${account}`, idleMs: KEEP_MS }).collection(COLLECTION);
  }

  /** Those that nothing can be done with any more, and the oldest if there are too many. */
  #old(records: Records, put: string): RecordUpdate[] {
    const others = [...records].flatMap(([id, record]) => (id === put ? [] : [{ id, kept: keptOf(record) }]));
    const isOver = (kept: Kept | undefined): boolean => {
      if (kept === undefined) return true;
      const renewableUntil = kept.refreshToken === undefined ? 0 : kept.gotAt + KEEP_MS;
      return Math.max(kept.expiresAt ?? kept.gotAt + KEEP_MS, renewableUntil) <= this.now();
    };
    const over = others.filter(({ kept }) => isOver(kept));
    const left = others.filter(({ kept }) => !isOver(kept)).toSorted((a, b) => (b.kept?.gotAt ?? 0) - (a.kept?.gotAt ?? 0));
    return [...over, ...left.slice(MAX_RECORDS - 1)].map(({ id }) => ({ id }));
  }
}

function expiry({ token }: Kept, refused: string | undefined): string {
  return token === refused ? 'the server does not take it, and nothing renews it' : 'it has expired, and nothing renews it';
}

/** A token is for one entry of the file: another URL or another authorization server never meets it. */
function idOf({ config: { name, url, auth }, caller }: TokenPlace): string {
  const { issuer, tokenUrl, clientId, audience, resource, scopes } = auth;
  return createHash('sha256')
    .update(JSON.stringify([name, url, issuer, tokenUrl, clientId, audience, resource, scopes, caller]))
    .digest('base64url');
}

function changeOf(id: string, kept: GottenToken & Pick<Kept, 'turn'>): RecordUpdate {
  return { id, value: JSON.parse(JSON.stringify({ ...kept, format: FORMAT })) as Json };
}

function keptIn(records: Records, id: string): Kept | undefined {
  const record = records.get(id);
  return record === undefined ? undefined : keptOf(record);
}

function keptOf(record: Json): Kept | undefined {
  return isJsonObject(record) && record['format'] === FORMAT ? (record as unknown as Kept) : undefined;
}
