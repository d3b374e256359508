/** Tests how clients find the authorization server: RFC 9728. */
import { expect, describe, it } from 'vitest';
import { protectedForTests } from '../support/protected-service.js';
import { serviceForTests } from '../../support/gateway/gateway.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const started = protectedForTests({ env: { LONGHAUL_SCOPES: '{"required":["mcp"],"methods":{"tools/call":["call"]}}' } });

describe('the metadata of the endpoint', () => {
  it.each([`${WELL_KNOWN}/mcp`, WELL_KNOWN])('are at %s', async (path) => {
    const response = await fetch(new URL(path, started.url));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({
      resource: 'http://127.0.0.1:3000/mcp',
      authorization_servers: [started.issuer.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['mcp', 'call'],
      resource_name: 'Longhaul',
      dpop_signing_alg_values_supported: ['ES256', 'ES384', 'ES512', 'PS256', 'RS256', 'EdDSA', 'Ed25519'],
    });
  });

  it('can be read by a page of an origin that is served, after a preflight', async () => {
    const path = new URL(`${WELL_KNOWN}/mcp`, started.url);
    const origin = 'http://localhost:8080';
    const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'mcp-protocol-version' };
    const preflight = await fetch(path, { method: 'OPTIONS', headers: { origin, ...asked } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('mcp-protocol-version');
    expect((await fetch(path, { headers: { origin } })).headers.get('access-control-allow-origin')).toBe(origin);
    expect((await fetch(path, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });
});

describe('a gateway without an issuer', () => {
  const service = serviceForTests();

  it('has no metadata', async () => {
    const response = await service.app.inject({ url: `${WELL_KNOWN}/mcp`, headers: { host: '127.0.0.1' } });
    expect(response.statusCode).toBe(404);
  });
});
