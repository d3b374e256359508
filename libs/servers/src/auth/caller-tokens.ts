/**
 * Exchanges tokens of callers for tokens of servers (RFC 8693). A caller's own token goes to the authorization server that the file names,
 * and nowhere else. What it is exchanged for is kept in memory, for this caller and this server, and is gotten once for all who need it at
 * the same time.
 */
import type { ExchangingServer } from '../config/server-config.js';
import { authorityOf } from './authorization-server.js';
import { type Credentials, withToken } from './credentials.js';
import { type GottenToken, KeptToken } from './kept-token.js';

/** Of all servers; the one that was used the longest time ago is forgotten first. */
const MAX_TOKENS = 10_000;

interface Entry {
  readonly subjectToken: string;
  readonly token: KeptToken;
}

export class CallerTokens {
  readonly #entries = new Map<string, Entry>();

  constructor(private readonly maxTokens: number = MAX_TOKENS) {}

  /**
   * The credentials of a caller at a server. All that were given for the caller use the token that it has shown last.
   *
   * @param caller unique to the caller
   */
  of(config: ExchangingServer, caller: string, subjectToken: string): Credentials {
    const entry = this.#entry(config, caller, subjectToken);
    const latest = (): KeptToken => (this.#entries.get(keyOf(config, caller)) ?? entry).token;
    return withToken(config, { get: () => latest().get(), refuse: (token) => latest().refuse(token) });
  }

  /**
   * A token of a caller at a server, for use after the request. One that nothing renews has more than half of its time left.
   *
   * @throws ServerAuthError; AuthorizationServerAway
   */
  async lasting(config: ExchangingServer, caller: string, subjectToken: string): Promise<GottenToken> {
    const { token } = this.#entry(config, caller, subjectToken);
    const gotten = await token.gotten();
    return gotten.refreshToken === undefined ? token.gotten((lifeMs) => lifeMs / 2) : gotten;
  }

  #entry(config: ExchangingServer, caller: string, subjectToken: string): Entry {
    const key = keyOf(config, caller);
    const known = this.#entries.get(key);
    const entry =
      known?.subjectToken === subjectToken
        ? known
        : { subjectToken, token: new KeptToken(() => authorityOf(config).exchange(subjectToken)) };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxTokens) break;
      this.#entries.delete(oldest);
    }
    return entry;
  }
}

function keyOf({ name }: ExchangingServer, caller: string): string {
  return JSON.stringify([name, caller]);
}
