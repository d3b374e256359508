import type { OAuthClientMetadata, OAuthClientProvider } from '@modelcontextprotocol/client';
import { Credentials } from './credentials.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A program whose platform vouches for it with a token, which it gives for one of the authorization server. */
export class WorkloadIdentity extends Credentials implements OAuthClientProvider {
  readonly redirectUrl = undefined;
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'longhaul-conformance',
    redirect_uris: [],
    grant_types: [JWT_BEARER],
    token_endpoint_auth_method: 'none',
  };
  readonly #assertion: string;

  constructor(clientId: string, assertion: string) {
    super({ client_id: clientId });
    this.#assertion = assertion;
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
