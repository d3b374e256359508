import { describe, expect, it } from 'vitest';
import { NO_SCOPES } from '../rpc/request-scopes.js';
import { createIntrospection } from './introspection.js';
import { issuersSetting } from './issuer-settings.js';
import { IssuerUnavailable } from './signing-keys.js';

const AUDIENCE = 'https://mcp.example.com/mcp';
const nowS = (): number => Math.floor(Date.now() / 1_000);
const good = { active: true, sub: 'ada', client_id: 'app', aud: AUDIENCE, exp: nowS() + 600, scope: 'a b' };

/** An issuer whose answers the test sets. */
function introspection(answer: () => object | Promise<object>, cacheMs = 10_000) {
  const introspected = { url: 'https://issuer.example/introspect', clientId: 'longhaul', clientSecretEnv: 'SECRET', cacheMs };
  const [settings] = issuersSetting.parse(JSON.stringify([{ issuer: 'https://issuer.example', introspection: introspected }])) ?? [];
  if (settings?.introspection === undefined) throw new Error('There is no introspection.');
  const asked: { url: string; authorization: string | undefined; body: string | undefined }[] = [];
  const verify = createIntrospection({
    settings: { ...settings, introspection: settings.introspection },
    clientSecret: 'of a test',
    audiences: [AUDIENCE],
    scopes: NO_SCOPES,
    onError: () => undefined,
    fetchObject: async (url, request) => {
      asked.push({ url, authorization: request?.headers?.['authorization'], body: request?.body });
      return answer() as never;
    },
  });
  return { verify, asked };
}

describe('a token that only its issuer can read', () => {
  it('stands for whom the issuer says', async () => {
    const { verify, asked } = introspection(() => good);
    expect(await verify('opaque')).toMatchObject({ subject: 'ada', client: 'app', scopes: ['a', 'b'], issuer: 'https://issuer.example' });
    expect(asked).toEqual([
      {
        url: 'https://issuer.example/introspect',
        authorization: `Basic ${Buffer.from('longhaul:of%20a%20test').toString('base64')}`,
        body: 'token=opaque&token_type_hint=access_token',
      },
    ]);
  });

  it('is asked about once in a while, good or bad, and by all who show it at once', async () => {
    const taken = introspection(() => good);
    await Promise.all([taken.verify('opaque'), taken.verify('opaque')]);
    await taken.verify('opaque');
    expect(taken.asked).toHaveLength(1);
    const refused = introspection(() => ({ active: false }));
    for (const _time of [1, 2]) await expect(refused.verify('opaque')).rejects.toThrow('the token is not known, or has expired');
    expect(refused.asked).toHaveLength(1);
  });

  it('is asked about each time where nothing is to be kept', async () => {
    const { verify, asked } = introspection(() => good, 0);
    await verify('opaque');
    await verify('opaque');
    expect(asked).toHaveLength(2);
  });

  it.each<[string, object]>([
    ['is not active', { ...good, active: 'true' }],
    ['is for another audience', { ...good, aud: 'https://other.example' }],
    ['is for no audience', { ...good, aud: undefined }],
    ['is of another issuer', { ...good, iss: 'https://other.example' }],
    ['has expired', { ...good, exp: nowS() - 40 }],
    ['has no end', { ...good, exp: undefined }],
    ['is for later', { ...good, nbf: nowS() + 60 }],
    ['is a refresh token', { ...good, token_type: 'refresh_token' }],
    ['names nobody', { ...good, sub: undefined, client_id: undefined }],
  ])('is refused when it %s', async (_what, answer) => {
    await expect(introspection(() => answer).verify('opaque')).rejects.toMatchObject({ name: 'TokenRejected' });
  });

  it('is not asked about while too many are', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const { verify, asked } = introspection(() => promise);
    const many = Array.from({ length: 64 }, (_, n) => verify(`opaque-${n}`));
    await expect(verify('one more')).rejects.toBeInstanceOf(IssuerUnavailable);
    resolve(good);
    expect(await Promise.all(many)).toHaveLength(64);
    expect(asked).toHaveLength(64);
    expect(await verify('one more')).toMatchObject({ subject: 'ada' });
  });

  it('is not refused for ever when the issuer did not answer', async () => {
    let isDown = true;
    const { verify } = introspection(() => {
      if (isDown) throw new Error('down');
      return good;
    });
    await expect(verify('opaque')).rejects.toBeInstanceOf(IssuerUnavailable);
    isDown = false;
    expect(await verify('opaque')).toMatchObject({ subject: 'ada' });
  });
});
