/** Starts an authorization server for a suite without tokens, and gets a token for the proxy in front of the gateways. */
import { once } from 'node:events';
import { createServer } from 'node:http';

import { createProvider, SERVICE_CLIENT } from '../deploy/authorization-server/provider.ts';

/** The audience of the tokens: gateways listen on any port. */
const RESOURCE = 'http://localhost/mcp';
const SCOPE = 'mcp';
const SECRET = 'known to this run only';
const LIFETIME_S = 3_600;

/**
 * @param {import('../apps/cli/dist/testing.js').Cleanup} cleanup
 * @returns {Promise<{ settings: NodeJS.ProcessEnv, headers: Readonly<Record<string, string>> }>} the settings of gateways, and what
 *   requests have to have
 */
export async function startTokenSource(cleanup) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const issuer = `http://127.0.0.1:${port}`;
  const provider = createProvider({ issuer, resource: () => RESOURCE, scopes: [SCOPE], lifetimeS: LIFETIME_S, clientSecret: SECRET });
  const serve = provider.callback();
  server.on('request', (request, response) => void serve(request, response));
  cleanup.add(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const settings = {
    LONGHAUL_ISSUERS: JSON.stringify([{ issuer }]),
    LONGHAUL_PUBLIC_URL: RESOURCE,
    LONGHAUL_SCOPES: JSON.stringify({ required: [SCOPE] }),
  };
  return { settings, headers: { authorization: `Bearer ${await tokenOf(issuer)}` } };
}

/**
 * @param {string} issuer
 * @returns {Promise<string>}
 */
async function tokenOf(issuer) {
  const body = new URLSearchParams({ grant_type: 'client_credentials', resource: RESOURCE, scope: SCOPE });
  const authorization = `Basic ${Buffer.from(`${SERVICE_CLIENT}:${encodeURIComponent(SECRET)}`).toString('base64')}`;
  const response = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } });
  const answer = /** @type {{ access_token: string }} */ (await response.json());
  if (!response.ok) throw new Error(`The authorization server gives no token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}
