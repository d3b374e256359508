/**
 * The log-ins of a person at servers. A server is shown the token that is kept for it, which is renewed before it expires. A server that
 * wants a log-in has the person log in when it is connected.
 */
import { createHash } from 'node:crypto';
import { Semaphore } from '@longhaul/runtime/semaphore';
import type { LoginSettings } from '../../config/auth-settings.js';
import { readTexts } from '../../config/secret-text.js';
import type { ServerConfig, UrlServer } from '../../config/server-config.js';
import { ServerAuthError } from '../auth-errors.js';
import type { Credentials } from '../credentials.js';
import { earlyMs, type IssuedToken, KeptToken } from '../kept-token.js';
import { authorityOfLogin, clientOf, type Login, logInByBrowser, type Visit } from './browser-login.js';
import type { LoginFolder } from './login-folder.js';

/** The settings of a server for which the file has none. */
const AS_FOUND: LoginSettings = { method: 'none', scopes: [] };
/** How long a process uses a token before it reads it again. */
const READ_MS = 600_000;

export interface LoginsOptions {
  readonly folder: LoginFolder;
  /** Has the person open a page. Absent: there is no person. */
  readonly visit?: Visit | undefined;
  /** Aborts when the person leaves. */
  readonly signal: AbortSignal;
}

/** A server that a person may log in to. */
type LoginServer = UrlServer & { readonly auth?: undefined };

export class Logins {
  /** A person sees one page at a time. */
  readonly #turn = new Semaphore(1);

  constructor(private readonly options: LoginsOptions) {}

  /** Whether a person may log in to it: it is a URL for which the file has no other credentials. */
  take(config: ServerConfig): config is LoginServer {
    return (
      config.kind === 'url' &&
      config.auth === undefined &&
      !Object.keys(config.headers).some((name) => name.toLowerCase() === 'authorization')
    );
  }

  /** The credentials at the server. Nothing is read before that is needed. */
  credentials(config: LoginServer): Credentials {
    let refusedToken: string | undefined;
    const token = new KeptToken(async () => {
      const { token, expiresAt = Infinity } = await this.#good(config, refusedToken);
      return { token, expiresAt: Math.min(expiresAt, Date.now() + READ_MS) };
    });
    let isThere: boolean | undefined;
    return {
      headers: async () => {
        const own = await readTexts(config.headers);
        isThere ||= (await this.options.folder.read(idOf(config))) !== undefined;
        // Most servers want no log-in. Those that do say so.
        if (!isThere && config.login === undefined) return own;
        return { ...own, authorization: `Bearer ${await token.get()}` };
      },
      refuse: ({ authorization }) => {
        if (authorization === undefined) return false;
        refusedToken = authorization.replace(/^Bearer /, '');
        return token.refuse(refusedToken);
      },
    };
  }

  /**
   * Has the person log in.
   *
   * @param why the server's refusal, if it has said one
   * @throws ServerAuthError when no person has logged in; the reason of the signal
   */
  async logIn(config: LoginServer, why?: ServerAuthError): Promise<void> {
    const { folder, visit, signal } = this.options;
    const { name, url, login: settings = AS_FOUND } = config;
    if (visit === undefined)
      throw new ServerAuthError(name, `${why?.message ?? ''} To log in, run "longhaul agent login" with its name or URL at a terminal.`);
    const leave = await this.#turn.enter(signal);
    try {
      const login = await logInByBrowser({ name, url, settings, scopes: why?.scopes ?? [] }, visit, signal);
      await folder.alone(idOf(config), () => folder.write(idOf(config), login));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServerAuthError || !(error instanceof Error)) throw error;
      const said = why === undefined ? '' : `${why.message} `;
      throw new ServerAuthError(name, `${said}You cannot log in to it: ${error.message}`, { cause: error });
    } finally {
      leave();
    }
  }

  /** @returns whether the person was logged in */
  forget(config: LoginServer): Promise<boolean> {
    const { folder } = this.options;
    return folder.alone(idOf(config), () => folder.forget(idOf(config)));
  }

  /** The token that is kept, renewed if that is due. @throws ServerAuthError when there is none; AuthorizationServerAway */
  async #good(config: LoginServer, refusedToken: string | undefined): Promise<IssuedToken> {
    const { folder } = this.options;
    const id = idOf(config);
    const kept = await folder.read(id);
    if (kept !== undefined && !isDue(kept, refusedToken)) return kept;
    return folder.alone(id, async () => {
      // Another process may have been faster.
      const latest = await folder.read(id);
      if (latest !== undefined && !isDue(latest, refusedToken)) return latest;
      const renewed = latest && (await renewal(config, latest, latest.token !== refusedToken));
      if (renewed === undefined) {
        await folder.forget(id);
        throw new ServerAuthError(config.name, `You are not logged in to the server "${config.name}".`);
      }
      await folder.write(id, renewed);
      return renewed;
    });
  }
}

function isDue({ token, expiresAt = Infinity, gotAt, refreshToken }: Login, refusedToken: string | undefined): boolean {
  // One that nothing renews is used to its end.
  const early = refreshToken === undefined || expiresAt === Infinity ? 0 : earlyMs(expiresAt - gotAt);
  return token === refusedToken || Date.now() >= expiresAt - early;
}

/** @returns nothing if the person has to log in again. @throws AuthorizationServerAway while the token is not good */
async function renewal({ name, url, login: settings = AS_FOUND }: LoginServer, login: Login, isTaken: boolean): Promise<Login | undefined> {
  const { refreshToken, client, issuer } = login;
  if (refreshToken === undefined) return undefined;
  const authority = authorityOfLogin({ name, url, settings });
  try {
    // A server that now names another authorization server does not get it the refresh token.
    if ((await authority.found()).as.issuer !== issuer) return undefined;
    const issued = await authority.by(client ?? clientOf(settings)).refresh(refreshToken);
    return { refreshToken, ...issued, gotAt: Date.now(), issuer, ...(client !== undefined && { client }) };
  } catch (error) {
    if (error instanceof ServerAuthError) return undefined;
    if (isTaken && Date.now() < (login.expiresAt ?? Infinity)) return login;
    throw error;
  }
}

/** A log-in is for one URL, and one client that the file names: another authorization server never gets its tokens. */
function idOf({ url, login: { issuer, clientId, audience, resource, scopes } = AS_FOUND }: LoginServer): string {
  return createHash('sha256')
    .update(JSON.stringify([url, issuer, clientId, audience, resource, scopes]))
    .digest('hex')
    .slice(0, 32);
}
