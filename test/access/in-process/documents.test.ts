/** Tests that the gateway reads the settings that the pages about authentication show, and that a tool sees the values shown there. */
import { runTool } from '@longhaul/mcp-features/testing';
import { readConfig } from '@longhaul/gateway';
import { describe, expect, it } from 'vitest';
import { features } from '../../../docs/examples/refund-order.ts';
import { tableRows, section } from '../../docs/documents.js';

const example = (name: string): string => new URL(`../../../docs/examples/${name}`, import.meta.url).pathname;
const DOCUMENT = 'docs/authentication.md';

const config = readConfig({
  LONGHAUL_ISSUERS: example('issuers.json'),
  LONGHAUL_PUBLIC_URL: 'https://mcp.example.com/mcp',
  LONGHAUL_SCOPES: example('scopes.json'),
  INTROSPECTION_SECRET: 'a secret of a test',
});

describe('the settings of the document', () => {
  it('are read as they say', () => {
    expect(config.issuers).toMatchObject([
      { issuer: 'https://login.example.com/realms/tools', leewayMs: 30_000, claims: { subject: 'sub', pass: ['email'] } },
      { audiences: ['api://longhaul'], type: 'JWT', claims: { scopes: 'scp', tenant: 'org_id' }, introspection: { cacheMs: 10_000 } },
    ]);
    expect(config.scopes).toMatchObject({ required: ['tools:read'], methods: { 'tasks/cancel': ['tools:call'] } });
  });

  it('have all their members in the tables', () => {
    const [first, second] = config.issuers ?? [];
    const all = { ...first, ...second, claims: { ...first?.claims, ...second?.claims } };
    const { claims, introspection, ...members } = all;
    const { url: _url, clientId: _id, clientSecret: _secret, clientSecretEnv: _env, ...asked } = introspection ?? {};
    const expected = [
      ...Object.keys(members),
      ...Object.keys(claims).map((name) => `claims.${name}`),
      'introspection',
      ...Object.keys(asked).map((name) => `introspection.${name}`),
    ];
    const documented = tableRows(section('docs/authentication-reference.md', 'Issuers')).map(([name]) => name);
    expect(new Set(documented)).toEqual(new Set(expected));
    const ofScopes = tableRows(section(DOCUMENT, 'Ask for scopes')).map(([name]) => name);
    expect(new Set(ofScopes)).toEqual(new Set(Object.keys(config.scopes ?? {})));
  });
});

describe('the tool of the document', () => {
  const [tool] = features;

  it('asks for its scope, and sees who created the task, also when its worker was killed', async () => {
    if (tool?.taskSupport !== 'optional') throw new Error('The document has no durable tool.');
    expect(tool.scopes).toEqual(['orders:write']);
    const auth = { subject: 'ada', issuer: 'https://login.example.com', scopes: ['orders:write'] };
    const { result } = await runTool(tool, { order: 'o-1' }, { auth, kills: true });
    expect(result.content).toEqual([{ type: 'text', text: 'Refunded o-1 for ada.' }]);
  });
});
