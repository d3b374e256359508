/** Logs in and runs a task: npx node docs/examples/log-in.ts [endpoint]. With CLIENT_SECRET it is the program CLIENT_ID, else it is you. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { env, stdout } from 'node:process';
import { connect } from '@longhaul/client';
import {
  auth,
  ClientCredentialsProvider,
  type OAuthClientProvider,
  type OAuthTokens,
  UnauthorizedError,
} from '@modelcontextprotocol/client';

const endpoint = process.argv[2] ?? 'http://localhost:3000/mcp';
const { ISSUER: issuer = 'http://localhost:3020', CLIENT_SECRET: clientSecret } = env;
const clientId = env['CLIENT_ID'] ?? (clientSecret === undefined ? 'public-app' : 'service');

const work = async (authProvider: OAuthClientProvider) => {
  const client = await connect(endpoint, { transport: { authProvider } });
  const { content } = await client.callTool('simulate-research-query', { topic: 'tides' });
  stdout.write(`result  ${JSON.stringify(content).slice(0, 60)}\n`);
  await client.close();
};

if (clientSecret !== undefined) {
  // Client credentials: the program is nobody but itself.
  await work(new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: issuer }));
} else {
  // Authorization code with PKCE: the browser comes back to this port with a code, which is worth nothing without the verifier.
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const redirectUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  let tokens: OAuthTokens | undefined;
  let verifier = '';
  let expectedState = '';
  const user: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { client_name: 'log-in', redirect_uris: [redirectUrl] },
    clientInformation: () => ({ client_id: clientId, issuer }),
    state: () => (expectedState = crypto.randomUUID()),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    codeVerifier: () => verifier,
    saveCodeVerifier: (given) => void (verifier = given),
    redirectToAuthorization: (url) => void stdout.write(`open    ${url.href}\n`),
  };
  try {
    await work(user);
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    const [request, response] = await once(server, 'request');
    response.end('You can close this page.\n');
    const answer = new URL(request.url, redirectUrl).searchParams;
    if (answer.get('state') !== expectedState) throw new Error('This answer is to another question.', { cause: error });
    const iss = answer.get('iss');
    await auth(user, { serverUrl: endpoint, authorizationCode: answer.get('code') ?? '', ...(iss !== null && { iss }) });
    await work(user);
  }
  server.close();
  server.closeAllConnections();
}
