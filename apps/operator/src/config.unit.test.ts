import { expect, it } from 'vitest';
import { readConfig, requirePort } from './config.js';

const TOKEN = 'b7f3c09e41d2a865';

it('lets nobody in but by the token of the data folder, and listens on this machine, unless it is set', () => {
  const config = readConfig({});
  expect(config).toMatchObject({ opsHost: '127.0.0.1', opsAnswers: true, auditEntries: 10_000, opsAllowedHosts: [] });
  expect(config.opsTokens).toBeUndefined();
  expect(() => requirePort(config)).toThrow('LONGHAUL_OPS_PORT');
});

it('reads who may do what', () => {
  const { opsTokens } = readConfig({ LONGHAUL_OPS_TOKENS: `ada:${TOKEN}:operate, board:${TOKEN}x:read` });
  expect([...(opsTokens ?? [])]).toEqual([
    [TOKEN, { name: 'ada', role: 'operate' }],
    [`${TOKEN}x`, { name: 'board', role: 'read' }],
  ]);
});

it('reads which programs may start which tools', () => {
  const { opsTokens } = readConfig({ LONGHAUL_OPS_TOKENS: `shop:${TOKEN}:start,few:${TOKEN}x:start=find-hotel+plan-trip` });
  expect([...(opsTokens ?? [])]).toEqual([
    [TOKEN, { name: 'shop', role: 'start' }],
    [`${TOKEN}x`, { name: 'few', role: 'start', tools: ['find-hotel', 'plan-trip'] }],
  ]);
});

it.each([
  ['a role that there is not', `ada:${TOKEN}:admin`, /name:token:read, name:token:operate or name:token:start/],
  ['no role', `ada:${TOKEN}`, /name:token:read, name:token:operate or name:token:start/],
  ['no tool after start=', `ada:${TOKEN}:start=`, /start=tool\+tool/],
  ['a list of tools for an operator', `ada:${TOKEN}:operate=a`, /name:token:start/],
  ['a short token', 'ada:short:read', /16 to 512 characters/],
  ['a token twice', `ada:${TOKEN}:read,bob:${TOKEN}:read`, /only once/],
  ['a placeholder', 'ada:replace-me-with-something:read', /a placeholder as the token of ada/],
  ['nobody', ',', /has no entry/],
])('refuses tokens with %s, and shows none of them', (_what, tokens, message) => {
  const read = (): unknown => readConfig({ LONGHAUL_OPS_TOKENS: tokens });
  expect(read).toThrow(message);
  expect(read).not.toThrow(TOKEN);
});

it('listens for others only with tokens', () => {
  expect(() => readConfig({ LONGHAUL_OPS_HOST: '0.0.0.0' })).toThrow(/LONGHAUL_OPS_HOST=0\.0\.0\.0: must be a loopback address/);
  expect(readConfig({ LONGHAUL_OPS_HOST: '0.0.0.0', LONGHAUL_OPS_TOKENS: `ada:${TOKEN}:read` }).opsHost).toBe('0.0.0.0');
});
