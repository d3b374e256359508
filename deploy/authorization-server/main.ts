/**
 * FOR DEVELOPMENT ONLY: everybody who reaches it is let in under the name that they give. `docker compose --profile auth up --build` starts it, so that the
 * log-in of a deployment can be tried on one machine: see docs/authentication.md.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { agree, createProvider, INTERACTION_PATH } from './provider.ts';

const MAX_BODY_BYTES = 4096;
const LIFETIME_S = 600;

const { ISSUER, RESOURCE, SCOPES = '', CLIENT_SECRET = '', PORT = '3020' } = process.env;
if (ISSUER === undefined || RESOURCE === undefined) throw new Error('ISSUER and RESOURCE have to be set.');

const provider = createProvider({
  issuer: ISSUER,
  resource: () => RESOURCE,
  scopes: SCOPES.split(' ').filter((scope) => scope !== ''),
  lifetimeS: LIFETIME_S,
  clientSecret: CLIENT_SECRET === '' ? undefined : CLIENT_SECRET,
});
provider.on('server_error', (_context, error) => report(error));
const serve = provider.callback();

const server = createServer((request, response) => {
  const { url = '', method } = request;
  if (url === '/health') response.end('ok');
  else if (!url.startsWith(INTERACTION_PATH)) void serve(request, response);
  else if (method === 'POST') void answer(request, response).catch((error: unknown) => refuse(response, error));
  else void ask(request, response).catch((error: unknown) => refuse(response, error));
});
server.listen(Number(PORT), '0.0.0.0', () => process.stdout.write(`For development only: ${ISSUER} issues tokens for ${RESOURCE}\n`));
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });

/** The page that asks somebody who they are, and names what the client wants. */
async function ask(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { uid, params } = await provider.interactionDetails(request, response);
  const wanted = [params['client_id'], params['scope'] ?? ''].map((part) => escaped(String(part)));
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  response.end(`<!doctype html>
<title>Log in</title>
<h1>Log in</h1>
<p>For development only: every name is let in.</p>
<p>Client: ${wanted[0] ?? ''}</p>
<p>Scopes: ${wanted[1] ?? ''}</p>
<form method="post" action="${INTERACTION_PATH}${escaped(uid)}">
<label>Name <input name="user" value="ada" required></label>
<button>Log in and allow</button>
</form>
`);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (Number(request.headers['content-length'] ?? Infinity) > MAX_BODY_BYTES) throw new Error('The form is too long.');
  const user = new URLSearchParams(await text(request)).get('user') ?? '';
  if (user === '') throw new Error('The form names no user.');
  await agree(provider, request, response, user);
}

function refuse(response: ServerResponse, error: unknown): void {
  report(error);
  if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('This cannot be answered. Begin again at the client.\n');
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
