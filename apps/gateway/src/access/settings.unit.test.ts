import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '@longhaul/runtime/environment';
import { readConfig } from '../config.js';
import { metadataPaths, metadataUrl } from './resource.js';

const ISSUER = 'https://login.example.com';
const URL_OF_ENDPOINT = 'https://mcp.example.com/mcp';
const issuers = (...all: object[]): NodeJS.ProcessEnv => ({
  LONGHAUL_ISSUERS: JSON.stringify(all),
  LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT,
});

function mistakes(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

describe('the issuers', () => {
  it('need no more than a name', () => {
    expect(readConfig(issuers({ issuer: ISSUER })).issuers).toEqual([
      {
        issuer: ISSUER,
        algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
        leewayMs: 30_000,
        staleMs: 3_600_000,
        dpop: 'accepted',
        claims: { subject: 'sub', scopes: 'scope', client: 'client_id', pass: [] },
      },
    ]);
  });

  it('let the gateway listen where others reach it', () => {
    expect(mistakes({ HOST: '0.0.0.0', ...issuers({ issuer: ISSUER }) })).toEqual([]);
  });

  it('may stand in a file, and the secret of an introspection in a variable of its own', () => {
    const folder = mkdtempSync(join(tmpdir(), 'longhaul-issuers-'));
    try {
      const path = join(folder, 'issuers.json');
      const introspection = { url: `${ISSUER}/introspect`, clientId: 'longhaul', clientSecretEnv: 'INTROSPECTION_SECRET' };
      writeFileSync(path, JSON.stringify([{ issuer: ISSUER, introspection }]));
      const env = { LONGHAUL_ISSUERS: path, LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT };
      expect(readConfig({ ...env, INTROSPECTION_SECRET: 'a secret' }).issuers).toMatchObject([
        { introspection: { clientSecret: 'a secret', cacheMs: 10_000 } },
      ]);
      expect(mistakes(env)).toEqual([`LONGHAUL_ISSUERS: clientSecretEnv of ${ISSUER}: INTROSPECTION_SECRET is not set`]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each<[string, string, string]>([
    ['no JSON', '[{', 'is no JSON'],
    ['no file', './issuers.json', 'must be JSON, or the path of a file that has it'],
    ['nobody', '[]', 'names no issuer'],
    ['http', JSON.stringify([{ issuer: 'http://login.example.com' }]), 'must be an https: URL, or an http: one of this machine'],
    ['a user', JSON.stringify([{ issuer: 'https://me:secret@login.example.com' }]), 'must be an https: URL'],
    ['a shared secret', JSON.stringify([{ issuer: ISSUER, algorithms: ['HS256'] }]), 'algorithms'],
    ['no signature', JSON.stringify([{ issuer: ISSUER, algorithms: ['none'] }]), 'algorithms'],
    ['a slip of the pen', JSON.stringify([{ issuer: ISSUER, audience: [] }]), 'audience'],
    ['one issuer twice', JSON.stringify([{ issuer: ISSUER }, { issuer: ISSUER }]), 'names an issuer twice'],
  ])('are refused with one line: %s', (_what, text, message) => {
    const found = mistakes({ LONGHAUL_ISSUERS: text, LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT });
    expect(found).toEqual([expect.stringContaining('LONGHAUL_ISSUERS: ')]);
    expect(found[0]).toContain(message);
    expect(found[0]).not.toContain('secret@');
  });

  it('may be reached without TLS under names that stay on the machine', () => {
    const keys = (host: string) => JSON.stringify([{ issuer: ISSUER, jwksUri: `http://${host}:3020/jwks` }]);
    for (const host of ['localhost', '127.0.0.1', 'login.localhost'])
      expect(mistakes({ LONGHAUL_ISSUERS: keys(host), LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT })).toEqual([]);
    for (const host of ['localhost.example.com', 'notlocalhost'])
      expect(mistakes({ LONGHAUL_ISSUERS: keys(host), LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT })).toHaveLength(1);
  });

  it('need the URL of the endpoint', () => {
    expect(mistakes({ LONGHAUL_ISSUERS: JSON.stringify([{ issuer: ISSUER }]) })).toEqual([
      'LONGHAUL_ISSUERS: needs LONGHAUL_PUBLIC_URL, the URL of the endpoint as clients know it, such as https://mcp.example.com/mcp',
    ]);
  });

  it('do not go with letting in everyone', () => {
    expect(mistakes({ ...issuers({ issuer: ISSUER }), LONGHAUL_ALLOW_ANONYMOUS: '1' })).toEqual([
      'LONGHAUL_ALLOW_ANONYMOUS=1: lets everyone in, and LONGHAUL_TOKENS and LONGHAUL_ISSUERS only those whom they name: unset it, or them',
    ]);
  });
});

describe('the scopes', () => {
  it('have defaults for what they do not say', () => {
    expect(readConfig({ ...issuers({ issuer: ISSUER }), LONGHAUL_SCOPES: '{"methods":{"tools/call":["call"]}}' }).scopes).toEqual({
      required: [],
      methods: { 'tools/call': ['call'] },
      includes: {},
    });
  });

  it.each([
    ['{"methods":{"tools/cal":["call"]}}', 'there is no method "tools/cal"'],
    ['{"required":["two words"]}', 'is no scope'],
    ['{"required":["offline_access"]}', 'is for the authorization server'],
    ['{"require":["mcp"]}', 'require'],
  ])('are refused as %s', (text, message) => {
    expect(mistakes({ LONGHAUL_SCOPES: text })).toEqual([expect.stringContaining(message)]);
  });

  it('are refused where no tokens could have them', () => {
    expect(mistakes({ LONGHAUL_SCOPES: '{}', LONGHAUL_TOKENS: 'ada:token-of-ada-0001' })).toEqual([
      'LONGHAUL_SCOPES: are asked of the tokens of LONGHAUL_ISSUERS alone, and that is not set: other callers may do everything',
    ]);
  });
});

describe('the URL of the endpoint', () => {
  it.each([
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['https://mcp.example.com/mcp/', 'https://mcp.example.com/mcp'],
    ['https://MCP.example.com:443', 'https://mcp.example.com'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp'],
  ])('%s is known as %s', (text, known) => {
    expect(readConfig({ LONGHAUL_PUBLIC_URL: text }).publicUrl).toBe(known);
  });

  it.each(['mcp.example.com', 'http://mcp.example.com/mcp', 'https://mcp.example.com/mcp?a=1', 'https://mcp.example.com/mcp#a'])(
    'cannot be %s',
    (text) => {
      expect(mistakes({ LONGHAUL_PUBLIC_URL: text })).toEqual([
        expect.stringContaining('must be the URL of the endpoint as clients know it'),
      ]);
    },
  );

  it('names a host that is served', () => {
    expect(readConfig({ LONGHAUL_PUBLIC_URL: URL_OF_ENDPOINT, LONGHAUL_ALLOWED_HOSTS: 'other.example.com' }).allowedHosts).toEqual([
      'other.example.com',
      'mcp.example.com',
    ]);
  });

  it('has its metadata beside it, and at the root', () => {
    expect(metadataUrl('https://mcp.example.com/a/mcp')).toBe('https://mcp.example.com/.well-known/oauth-protected-resource/a/mcp');
    expect(metadataPaths('https://mcp.example.com/a/mcp')).toEqual([
      '/.well-known/oauth-protected-resource/a/mcp',
      '/.well-known/oauth-protected-resource',
    ]);
    expect(metadataPaths('https://mcp.example.com')).toEqual(['/.well-known/oauth-protected-resource']);
  });
});
