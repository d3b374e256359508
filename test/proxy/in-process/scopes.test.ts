/** Tests the scopes that the file of servers asks of callers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '@longhaul/gateway';
import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { challenged } from '../../access/support/guarded-service.js';
import { bearer, client2025, client2026, send, type TokenClient } from '../../access/support/requests.js';
import { accessSettings, issuerForTests } from '../../access/support/test-issuer.js';
import { oddServer } from '../../servers/support/odd-server.js';
import { TestFolder } from '../../support/test-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { Proxies, type ServedProxy } from '../support/proxies.js';

const folder = new TestFolder();
/** When it exists, the server has one more tool. */
const flag = join(folder.path, 'flag');

const OFFERS = oddServer(
  {
    first: `const looking = setInterval(() => {
      if (!require('node:fs').existsSync(${JSON.stringify(flag)})) return;
      clearInterval(looking);
      globalThis.more = [tool('late')];
      say({ method: 'notifications/tools/list_changed' });
    }, 20);`,
    answers: `
      if (method === 'initialize') return { ...usual.initialize, capabilities: { tools: { listChanged: true }, prompts: {}, resources: {}, completions: {} } };
      if (method === 'tools/list') return { tools: [{ ...tool('look'), annotations: { readOnlyHint: true } }, tool('change'), ...(globalThis.more ?? [])] };
      if (method === 'prompts/list') return { prompts: [{ name: 'greet', arguments: [{ name: 'who' }] }] };
      if (method === 'prompts/get') return { messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] };
      if (method === 'completion/complete') return { completion: { values: ['Ada'] } };
      if (method === 'resources/list') return { resources: [{ uri: 'a://one', name: 'one' }] };
      if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'a://many/{n}', name: 'many' }] };
      if (method === 'resources/read') return { contents: [{ uri: params.uri, text: 'content' }] };`,
  },
  {
    sessions: 'shared',
    scopes: ['of:server'],
    tools: { '*': { scopes: ['of:any'] }, change: { scopes: ['of:change'] }, late: { scopes: ['of:late'] } },
  },
);

const issuer = issuerForTests();
const proxies = new Proxies();
let served: ServedProxy;
beforeAll(async () => {
  const service = { settings: accessSettings(readConfig, [issuer.setting()]) };
  served = await proxies.serve({ offers: OFFERS, open: oddServer({}) }, { service });
});
afterAll(async () => {
  await proxies.close();
  folder.remove();
});

const tokenWith = (scope: string): Promise<string> => issuer.token({ claims: { scope } });
const ref = { type: 'ref/prompt', name: 'offers__greet' };
const uriRef = { type: 'ref/resource', uri: 'a://many/{n}' };

describe.each([
  ['2025-11-25', client2025],
  ['2026-07-28', client2026],
] as const)('a caller of %s', (_version, open) => {
  const asked: [string, Record<string, unknown>, string[]][] = [
    ['tools/call', { name: 'offers__look', arguments: {} }, ['of:any', 'of:server']],
    ['tools/call', { name: 'offers__change', arguments: {} }, ['of:change', 'of:server']],
    ['prompts/get', { name: 'offers__greet', arguments: {} }, ['of:server']],
    ['resources/read', { uri: 'a://one' }, ['of:server']],
    ['resources/read', { uri: 'a://many/7' }, ['of:server']],
    ['completion/complete', { ref, argument: { name: 'who', value: '' } }, ['of:server']],
    ['completion/complete', { ref: uriRef, argument: { name: 'n', value: '' } }, ['of:server']],
  ];

  it.each(asked)('is refused %s of %j without the scopes of the file, and let in with them', async (method, params, scopes) => {
    const client: TokenClient = await open(served.url, await tokenWith(''));
    for (const lacking of ['', ...scopes.slice(1)]) {
      const refused = await client.call(method, params, await tokenWith(lacking));
      expect(refused.status).toBe(403);
      expect(challenged(refused)).toEqual(scopes);
    }
    const allowed = await client.call(method, params, await tokenWith(scopes.join(' ')));
    expect([allowed.status, allowed.error]).toEqual([200, undefined]);
  });

  it('is listed what its token allows', async () => {
    const client: TokenClient = await open(served.url, await tokenWith(''));
    const listed = async (method: string, scope: string): Promise<readonly unknown[]> => {
      const { result = {} } = await client.call(method, {}, await tokenWith(scope));
      return (Object.values(result).find(Array.isArray) ?? []).map(({ name }: { readonly name: string }) => name);
    };
    expect(await listed('tools/list', '')).not.toContain('offers__look');
    expect(await listed('tools/list', 'of:server of:any')).toContain('offers__look');
    expect(await listed('tools/list', 'of:server of:any')).not.toContain('offers__change');
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list']) {
      expect(await listed(method, '')).toEqual([]);
      expect(await listed(method, 'of:server')).toHaveLength(1);
    }
  });
});

it('a task of a proxied tool is kept from tokens without the scopes of its tool', async () => {
  const client = client2026(served.url, await tokenWith('of:server of:change'));
  const { result } = await client.call('tools/call', { name: 'offers__change', arguments: {} });
  const { taskId } = result as { readonly taskId: string };
  expect((await client.call('tasks/get', { taskId }, await tokenWith('of:server'))).status).toBe(403);
  expect((await client.call('tasks/get', { taskId })).status).toBe(200);
});

it('the scopes of a tool that a server adds later are among those that clients can ask for', async () => {
  const scopes = async (): Promise<string> => (await send(served.url, {}, {})).challenge ?? '';
  writeFileSync(flag, '');
  await waitUntil(async () => (await scopes()).includes('of:late'), { description: 'the challenge names it' });
  const metadata = await fetch(new URL('/.well-known/oauth-protected-resource', served.url), { headers: bearer('none') });
  expect(((await metadata.json()) as { readonly scopes_supported: string[] }).scopes_supported).toContain('of:late');
});
