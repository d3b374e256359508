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

it.each<[string, object, object, string]>([
  ['an insecure issuer', { issuer: 'http://auth.example' }, {}, 'auth.issuer: must be an https URL'],
  ['another grant', { grant: 'password' }, {}, 'auth.grant: must be "client_credentials" or "token-exchange"'],
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
