import type { OAuthClientInformationMixed, OAuthClientMetadata, OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A program whose platform vouches for it with a token, which it gives for one of the authorization server. */
export class WorkloadIdentity implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'longhaul-conformance',
    redirect_uris: [],
    grant_types: [JWT_BEARER],
    token_endpoint_auth_method: 'none',
  };
  readonly #assertion: string;
  #client: OAuthClientInformationMixed;
  #tokens: OAuthTokens | undefined;

  constructor(clientId: string, assertion: string) {
    this.#client = { client_id: clientId };
    this.#assertion = assertion;
  }

  clientInformation(): OAuthClientInformationMixed {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  redirectToAuthorization(): void {
    throw new Error('A program has nobody to redirect.');
  }

  saveCodeVerifier(): void {
    // Nobody is redirected.
  }

  codeVerifier(): string {
    throw new Error('Nobody was redirected.');
  }

  prepareTokenRequest(scope?: string): URLSearchParams {
    return new URLSearchParams({ grant_type: JWT_BEARER, assertion: this.#assertion, ...(scope !== undefined && { scope }) });
  }
}
