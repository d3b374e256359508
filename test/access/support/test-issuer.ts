/** An authorization server as far as a gateway knows it: metadata and keys over HTTP, and tokens of any content, good and bad. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GatewayConfig } from '@longhaul/gateway';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, type JWTHeaderParameters, SignJWT } from 'jose';
import { forAllTests } from '../../support/for-all-tests.js';

/** The URL of the endpoint, as the issuer knows it. The gateway may listen elsewhere. */
export const PUBLIC_URL = 'http://127.0.0.1:3000/mcp';

/** A key that the issuer signs with. */
interface IssuerKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** What is special about a token. A claim that is `undefined` is left out. */
export interface TokenOptions {
  readonly claims?: JWTPayload;
  readonly header?: Partial<JWTHeaderParameters>;
  readonly key?: CryptoKey | Uint8Array;
}

/** What an introspection answers, by token. */
type Introspected = ReadonlyMap<string, object>;

export class TestIssuer {
  /** How often its keys were fetched. */
  keyFetches = 0;
  /** How often it was asked about a token. */
  introspections = 0;
  /** Whether it answers with errors. */
  isDown = false;
  introspected: Introspected = new Map();
  readonly #keys: IssuerKey[] = [];
  #held: Promise<void> = Promise.resolve();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TestIssuer> {
    const server = createServer();
    // An idle connection must not end in the moment in which a client uses it again.
    server.keepAliveTimeout = 0;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const issuer = new TestIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => void issuer.#answer(request.url ?? '', Buffer.concat(chunks).toString(), response));
    });
    await issuer.addKey();
    return issuer;
  }

  /** What the gateway knows of it, in the words of the setting. */
  setting(more: object = {}): object {
    // Tests wait for the end of tokens.
    return { issuer: this.url, leewayMs: 2_000, ...more };
  }

  get key(): IssuerKey {
    const key = this.#keys.at(-1);
    if (key === undefined) throw new Error('The issuer has no key.');
    return key;
  }

  /** Signs with another key from now on; the ones before stay known. */
  async addKey(): Promise<void> {
    const pair = await generateKeyPair('ES256', { extractable: true });
    this.#keys.push({ kid: `key-${this.#keys.length + 1}`, ...pair });
  }

  /** Answers nothing about tokens until what is returned is called. */
  holdIntrospections(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return resolve;
  }

  /** An access token, a good one unless something is special about it. */
  async token({ claims = {}, header = {}, key }: TokenOptions = {}): Promise<string> {
    const nowS = Math.floor(Date.now() / 1_000);
    const all: JWTPayload = {
      iss: this.url,
      sub: 'ada',
      aud: PUBLIC_URL,
      client_id: 'app',
      iat: nowS,
      exp: nowS + 600,
      scope: '',
      ...claims,
    };
    const stated = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    const crit = Object.fromEntries((header.crit ?? []).map((name) => [name, true]));
    return new SignJWT(stated)
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: this.key.kid, ...header })
      .sign(key ?? this.key.privateKey, { crit });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(path: string, body: string, response: ServerResponse): Promise<void> {
    const send = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path === '/keys') this.keyFetches += 1;
    if (path === '/introspect') this.introspections += 1;
    if (this.isDown) return send(500, {});
    switch (path) {
      case '/.well-known/oauth-authorization-server':
        return send(200, { issuer: this.url, jwks_uri: `${this.url}/keys` });
      case '/keys':
        return send(200, {
          keys: await Promise.all(this.#keys.map(async ({ kid, publicKey }) => ({ ...(await exportJWK(publicKey)), kid }))),
        });
      case '/introspect':
        await this.#held;
        return send(200, this.introspected.get(new URLSearchParams(body).get('token') ?? '') ?? { active: false });
      default:
        return send(404, {});
    }
  }
}

/** An issuer for all tests of the file or `describe` that calls this. */
export function issuerForTests(): TestIssuer {
  return forAllTests(
    () => TestIssuer.start(),
    (issuer) => issuer.close(),
  );
}

/** The settings by which a gateway knows issuers, as its configuration reads them. */
export function accessSettings(
  readConfig: (env: NodeJS.ProcessEnv) => GatewayConfig,
  issuers: readonly object[],
  env: NodeJS.ProcessEnv = {},
): Partial<GatewayConfig> {
  const config = readConfig({ LONGHAUL_ISSUERS: JSON.stringify(issuers), LONGHAUL_PUBLIC_URL: PUBLIC_URL, ...env });
  const { issuers: read, publicUrl, scopes, tokens } = config;
  return {
    ...(read !== undefined && { issuers: read }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(scopes !== undefined && { scopes }),
    ...(tokens !== undefined && { tokens }),
  };
}
