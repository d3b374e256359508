import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client';

/** What a client got from an authorization server: who it is there, and its tokens. */
export class Credentials {
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;

  constructor(client?: OAuthClientInformationMixed) {
    this.#client = client;
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
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
}
