import { expect, it } from 'vitest';
import { parseServers } from './servers-file.js';

const read = (auth: object, more: object = {}) =>
  parseServers(JSON.stringify({ mcpServers: { ok: { command: 'x' }, remote: { url: 'https://tools.example/mcp', auth, ...more } } }), {
    from: 'servers.json',
    env: { SECRET: 'of the environment' },
  });
const CLIENT = { grant: 'client_credentials', issuer: 'https://auth.example', clientId: 'longhaul' };

it('the tokens of a server are gotten as the file says', () => {
  const { servers, warnings } = read({ ...CLIENT, clientSecret: '${SECRET}', scopes: ['a'], resource: false });
  expect(servers[1]).toMatchObject({
    auth: { ...CLIENT, method: 'client_secret_basic', secret: 'of the environment', scopes: ['a'], resource: false },
  });
  expect(warnings).toEqual([]);
  expect(JSON.stringify(read({ ...CLIENT, clientSecret: 's', method: 'client_secret_post' }).servers)).toContain('client_secret_post');
});

it('a server that may say itself who is shown the secret is warned of', () => {
  const { servers, warnings } = read({ ...CLIENT, issuer: undefined });
  expect(servers).toHaveLength(2);
  expect(warnings.join()).toContain('without "issuer" or "tokenUrl" the server itself says which authorization server is shown the secret');
});

it('a log-in needs no client and no issuer, and its scopes are as the file says', () => {
  const { servers, warnings } = read({ grant: 'authorization_code', scopes: ['a'] });
  expect(servers[1]).toMatchObject({ login: { method: 'none', scopes: ['a'] } });
  expect(servers[1]).not.toHaveProperty('auth');
  expect(warnings).toEqual([]);
  const { servers: named } = read({ ...CLIENT, grant: 'authorization_code', clientSecret: '${SECRET}' });
  expect(named[1]).toMatchObject({ login: { issuer: CLIENT.issuer, clientId: 'longhaul', secret: 'of the environment' } });
});

it.each<[string, object, object, string]>([
  ['no client', { clientId: undefined }, {}, 'auth: must have a "clientId"'],
  [
    'the secret of a log-in without its client',
    { grant: 'authorization_code', clientId: undefined, clientSecret: 'a' },
    {},
    'a "clientId"',
  ],
  [
    'the token endpoint of a log-in',
    { grant: 'authorization_code', tokenUrl: 'https://auth.example/token' },
    {},
    'auth: must name the "issuer" instead of the "tokenUrl"',
  ],
  ['an insecure issuer', { issuer: 'http://auth.example' }, {}, 'auth.issuer: must be an https URL'],
  ['another grant', { grant: 'password' }, {}, 'auth.grant: must be "client_credentials", "token-exchange" or "authorization_code"'],
  ['an exchange at a place that the server names', { grant: 'token-exchange', issuer: undefined }, {}, 'auth: must name the "issuer"'],
  [
    'an exchange for a shared connection',
    { grant: 'token-exchange' },
    { sessions: 'shared' },
    'sessions: must not be "shared" with the grant',
  ],
  ['two secrets', { clientSecret: 'a', privateKey: 'b' }, {}, 'auth: must have "clientSecret" or "privateKey", not both'],
  [
    'a method without its key',
    { clientSecret: 'a', method: 'private_key_jwt' },
    {},
    'its "method" must be client_secret_basic or client_secret_post',
  ],
  ['a member that is not known', { clientsecret: 'a' }, {}, 'Unrecognized key: "clientsecret"'],
  ['a secret that is not set', { clientSecret: '${NONE}' }, {}, 'auth.clientSecret: NONE is not set'],
  [
    'a file that cannot be read',
    { clientSecret: '${file:/none/such}' },
    {},
    'auth.clientSecret: the file /none/such cannot be read (ENOENT)',
  ],
  ['a header beside it', {}, { headers: { authorization: 'Bearer x' } }, 'headers.Authorization: "auth" gives it already'],
  [
    'a file in the URL',
    {},
    { url: 'https://tools.example/${file:/etc/hostname}' },
    'url: ${file:…} may stand in "env", "headers" and "auth" only',
  ],
])('%s is a mistake by its field', (_what, auth, more, message) => {
  const { refused } = read({ ...CLIENT, ...auth }, more);
  expect(refused.get('remote')).toContain(message);
});
