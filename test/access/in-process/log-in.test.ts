/** Tests the log-in from a 401 to a finished task, with a real authorization server and stock clients. */
import { freePort } from '@longhaul/bench/free-port';
import { connect } from '@longhaul/client';
import { readConfig } from '@longhaul/gateway';
import * as client2 from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { ClientCredentialsProvider as FirstCredentials } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../../support/for-all-tests.js';
import { startService } from '../../support/gateway/gateway.js';
import { AuthorizationServer, followToCallback, PUBLIC_CLIENT, REDIRECT_URL, SERVICE_CLIENT } from '../support/authorization-server.js';
import { guardedFeatures } from '../support/guarded-features.js';

const started = forAllTests(
  async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/mcp`;
    const server = await AuthorizationServer.start({ resource: () => url, scopes: ['mcp', 'f:durable'] });
    const { issuers, publicUrl, scopes } = readConfig({
      LONGHAUL_ISSUERS: JSON.stringify([{ issuer: server.issuer }]),
      LONGHAUL_PUBLIC_URL: url,
      LONGHAUL_SCOPES: '{"required":["mcp"]}',
    });
    if (issuers === undefined || publicUrl === undefined || scopes === undefined) throw new Error('The settings are not read.');
    const service = await startService({ features: guardedFeatures, settings: { port, issuers, publicUrl, scopes } });
    await service.listen();
    return { server, service, url };
  },
  async ({ server, service }) => {
    await service.close();
    await server.close();
  },
);

/** A user of the newer SDK who agrees to everything. */
class User implements client2.OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata = { client_name: 'test', redirect_uris: [REDIRECT_URL], scope: '' };
  /** The requested scopes, each time. */
  readonly asked: string[] = [];
  #tokens: client2.OAuthTokens | undefined;
  #verifier = '';
  #callback: URL | undefined;

  clientInformation() {
    return { client_id: PUBLIC_CLIENT, issuer: started.server.issuer };
  }

  tokens() {
    return this.#tokens;
  }

  saveTokens(tokens: client2.OAuthTokens): void {
    this.#tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    this.asked.push(url.searchParams.get('scope') ?? '');
    this.#callback = await followToCallback(url);
  }

  /** Does something, each time again when the user has been asked. */
  async agreeing<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const callback = this.#callback;
        if (callback === undefined) throw error;
        this.#callback = undefined;
        const [code, iss] = [callback.searchParams.get('code') ?? '', callback.searchParams.get('iss')];
        await client2.auth(this, { serverUrl: started.url, authorizationCode: code, ...(iss !== null && { iss }) });
      }
    }
  }
}

const text = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('a client that acts for itself', () => {
  it('of the first SDK gets from 401 to a finished task', async () => {
    const authProvider = new FirstCredentials({ clientId: SERVICE_CLIENT.id, clientSecret: SERVICE_CLIENT.secret, scope: 'mcp f:durable' });
    const client = new FirstClient({ name: 'test', version: '1' });
    await client.connect(new FirstTransport(new URL(started.url), { authProvider }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('durable');
    expect(text(await client.callTool({ name: 'durable', arguments: {} }))).toBe('durable');
    expect(JSON.parse(text(await client.callTool({ name: 'whoami', arguments: {} })))).toMatchObject({
      issuer: started.server.issuer,
      subject: SERVICE_CLIENT.id,
      client: SERVICE_CLIENT.id,
    });
    await client.close();
  });

  it.each(['2025-11-25', '2026-07-28'] as const)('with our client gets there in %s', async (generation) => {
    const authProvider = new client2.ClientCredentialsProvider({
      clientId: SERVICE_CLIENT.id,
      clientSecret: SERVICE_CLIENT.secret,
      scope: 'mcp f:durable',
      expectedIssuer: started.server.issuer,
    });
    const client = await connect(started.url, { generation, transport: { authProvider } });
    expect(text(await client.callTool('durable', { ms: 500 }))).toBe('durable');
    await client.close();
  });
});

describe('a user', () => {
  it.each(['2025-11-25', '2026-07-28'] as const)(
    'logs in with our client in %s, and is asked again for what a tool needs',
    async (generation) => {
      const user = new User();
      const client = await user.agreeing(() => connect(started.url, { generation, transport: { authProvider: user } }));
      expect(JSON.parse(text(await client.callTool('whoami', {})))).toMatchObject({ subject: 'ada', client: PUBLIC_CLIENT });
      expect(user.asked[0]?.split(' ')).toContain('mcp');
      expect(user.asked[0]).not.toContain('f:durable');
      expect(text(await user.agreeing(() => client.callTool('durable', {})))).toBe('durable');
      expect(user.asked.at(-1)?.split(' ').toSorted()).toEqual(expect.arrayContaining(['f:durable', 'mcp']));
      await client.close();
    },
  );

  it('logs in with the stock client of the newer SDK', async () => {
    const user = new User();
    const client = new client2.Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    await user.agreeing(() => client.connect(new client2.StreamableHTTPClientTransport(new URL(started.url), { authProvider: user })));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['open', 'whoami']));
    expect(tools.map(({ name }) => name)).not.toContain('durable');
    await client.close();
  });
});
