/** A token endpoint that exchanges tokens (RFC 8693), and knows its client by a key. It notes what it is asked. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt, jwtVerify } from 'jose';

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

export interface ExchangeAuthority {
  /** What a file says to use it. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** The forms that came, of clients that have shown who they are. */
  readonly asked: URLSearchParams[];
  /** How long its tokens last, seconds. */
  lifetimeS: number;
  /** Whether its exchanges come with a refresh token, which is good once, and so is each next one. */
  renews: boolean;
  /** Its error for exchanges, if it refuses them. */
  refusal: string | undefined;
  /** What it says that it has issued. */
  issuedType: string;
  close(): Promise<void>;
}

export async function startExchangeAuthority(): Promise<ExchangeAuthority> {
  const server = createServer();
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const authority: ExchangeAuthority = {
    auth: {
      tokenUrl: `${url}/token`,
      clientId: 'longhaul',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
      keyId: 'one',
      scopes: ['reports:read'],
      audience: 'reports',
    },
    asked: [],
    lifetimeS: 600,
    renews: false,
    refusal: undefined,
    issuedType: ACCESS_TOKEN,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const renewable = new Map<string, string>();
  async function answerTo(form: URLSearchParams): Promise<{ readonly status: number; readonly body: object }> {
    const key = createPublicKey(publicKey.export({ type: 'spki', format: 'pem' }));
    const assertion = form.get('client_assertion') ?? '';
    const shown = await jwtVerify(assertion, key, { audience: url, issuer: 'longhaul', subject: 'longhaul' }).catch(() => undefined);
    if (shown?.protectedHeader.kid !== 'one') return { status: 401, body: { error: 'invalid_client' } };
    authority.asked.push(form);
    const isExchange = form.get('grant_type') === EXCHANGE;
    if (isExchange && authority.refusal !== undefined) return { status: 400, body: { error: authority.refusal } };
    const refreshed = form.get('grant_type') === 'refresh_token' ? renewable.get(form.get('refresh_token') ?? '') : undefined;
    renewable.delete(form.get('refresh_token') ?? '');
    if (form.has('refresh_token') && refreshed === undefined) return { status: 400, body: { error: 'invalid_grant' } };
    const subject = refreshed ?? (isExchange ? decodeJwt(form.get('subject_token') ?? '').sub : 'itself');
    const next =
      authority.renews && form.get('grant_type') !== 'client_credentials' ? `renews-${subject}-${authority.asked.length}` : undefined;
    if (next !== undefined) renewable.set(next, String(subject));
    const issued = { access_token: `of-${subject}-${authority.asked.length}`, token_type: 'Bearer', expires_in: authority.lifetimeS };
    const answer = { ...issued, ...(next !== undefined && { refresh_token: next }) };
    return { status: 200, body: { ...answer, ...(isExchange && { issued_token_type: authority.issuedType }) } };
  }

  server.on('request', (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      void answerTo(new URLSearchParams(body)).then((answer) =>
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body)),
      );
    });
  });
  return authority;
}
