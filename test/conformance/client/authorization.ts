/**
 * A user who agrees to everything, in place of a browser: the authorization server of a scenario redirects at once, and
 * the code is taken from there. Everything else is what the SDK does for the client's `transport.authProvider`.
 */
import {
  auth,
  DpopSession,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { Credentials } from './credentials.ts';

const REDIRECT_URL = 'http://localhost:3000/callback';
/** An authorization server that can fetch it takes it for the id of the client. */
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';
/** A user who was asked as often for the same server has enough of it. */
const MOST_CONSENTS = 3;

/** What the authorization server sends to the client through the user's browser. */
interface Callback {
  readonly code: string;
  readonly issuer: string | undefined;
}

export class AgreeingUser extends Credentials implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadataUrl = METADATA_URL;
  readonly clientMetadata: OAuthClientMetadata = { client_name: 'longhaul-conformance', redirect_uris: [REDIRECT_URL] };
  readonly #dpop: Promise<DpopSession> | undefined;
  #discovery: OAuthDiscoveryState | undefined;
  #verifier = '';
  #callback: Callback | undefined;
  #consents = 0;

  constructor(options: { readonly client?: OAuthClientInformationMixed; readonly bindsTokens?: boolean } = {}) {
    super(options.client);
    this.#dpop = options.bindsTokens === true ? DpopSession.create() : undefined;
  }

  dpop(): Promise<DpopSession> | undefined {
    return this.#dpop;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.#consents += 1;
    if (this.#consents > MOST_CONSENTS) throw new Error('The user was asked too often.');
    const { headers } = await fetch(url, { redirect: 'manual' });
    const location = new URL(headers.get('location') ?? '', url);
    const code = location.searchParams.get('code');
    if (code === null) throw new Error(`The authorization server gave no code: ${location.href}`);
    this.#callback = { code, issuer: location.searchParams.get('iss') ?? undefined };
  }

  /** Goes on where the redirect came back. @returns false if nobody was redirected */
  async finish(serverUrl: string): Promise<boolean> {
    if (this.#callback === undefined) return false;
    const { code, issuer } = this.#callback;
    this.#callback = undefined;
    await auth(this, { serverUrl, authorizationCode: code, ...(issuer !== undefined && { iss: issuer }) });
    // The server may name another authorization server when it refuses the token; then it has to be asked again.
    this.#discovery = undefined;
    return true;
  }
}

/** Does something with the server, each time again after the user was sent away to agree. */
export async function withConsent<T>(user: AgreeingUser, serverUrl: string, attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UnauthorizedError) || !(await user.finish(serverUrl))) throw error;
    }
  }
}
