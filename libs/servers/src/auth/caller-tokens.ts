/**
 * Exchanges tokens of callers for tokens of servers (RFC 8693). A caller's own token goes to the authorization server that the file names,
 * and nowhere else. What it is exchanged for is kept in memory, for this caller and this server, and is gotten once for all who need it at
 * the same time.
 */
import type { ExchangingServer, UrlServer } from '../config/server-config.js';
import { AuthorizationServer } from './authorization-server.js';
import { type Credentials, withToken } from './credentials.js';
import { KeptToken } from './kept-token.js';

/** Of all servers; the one that was used the longest time ago is forgotten first. */
const MAX_TOKENS = 10_000;

interface Entry {
  readonly subjectToken: string;
  readonly token: KeptToken;
}

export class CallerTokens {
  readonly #entries = new Map<string, Entry>();
  readonly #authorities = new WeakMap<UrlServer, AuthorizationServer>();

  constructor(private readonly maxTokens: number = MAX_TOKENS) {}

  /**
   * The credentials of a caller at a server. All that were given for the caller use the token that it has shown last.
   *
   * @param caller that of no other caller
   */
  of(config: ExchangingServer, caller: string, subjectToken: string): Credentials {
    const key = JSON.stringify([config.name, caller]);
    const known = this.#entries.get(key);
    const entry = known?.subjectToken === subjectToken ? known : this.#entryFor(config, subjectToken);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.maxTokens) break;
      this.#entries.delete(oldest);
    }
    const latest = (): KeptToken => (this.#entries.get(key) ?? entry).token;
    return withToken(config, { get: () => latest().get(), refuse: (token) => latest().refuse(token) });
  }

  #entryFor(config: ExchangingServer, subjectToken: string): Entry {
    const authority = this.#authorities.get(config) ?? new AuthorizationServer(config);
    this.#authorities.set(config, authority);
    return { subjectToken, token: new KeptToken(() => authority.exchange(subjectToken)) };
  }
}
