/** Tests that a task whose caller has a token goes on after every process was killed, with a token that is kept, and that no file has one. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@longhaul/bench/free-port';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { client2026 } from '../../access/support/requests.js';
import { issuerForTests, PUBLIC_URL } from '../../access/support/test-issuer.js';
import { Workplace } from '../../cli/support/launcher.js';
import {
  type Exchange,
  firstOf,
  greeting2025,
  methods,
  type ScriptedServer,
  startScriptedServer,
} from '../../client/support/scripted-server.js';
import { type ExchangeAuthority, startExchangeAuthority } from '../../servers/support/exchange-authority.js';
import { waitUntil } from '../../support/wait-until.js';

const issuer = issuerForTests();
/** Calls that are held until the test answers them. */
const held: Exchange[] = [];
/** Tokens that the server takes no more. */
const over = new Set<string>();
let place: Workplace;
let authority: ExchangeAuthority;
let upstream: ScriptedServer;

const tokenIn = (header: string | undefined): string => header?.replace('Bearer ', '') ?? '';

beforeEach(async () => {
  place = new Workplace();
  authority = await startExchangeAuthority();
  const tools = [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
  const script = methods({ 'tools/list': ({ result }) => result({ tools }), 'tools/call': (exchange) => held.push(exchange) });
  upstream = await startScriptedServer(firstOf(script, greeting2025), {
    first: ({ headers }, response) => {
      const token = tokenIn(headers.authorization);
      const isGood = token.startsWith('of-') && !over.has(token);
      if (!isGood) response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
      return !isGood;
    },
  });
});
afterEach(async () => {
  await place.close();
  await Promise.all([upstream.close(), authority.close()]);
});

async function nextCall(): Promise<Exchange> {
  await waitUntil(() => held.length > 0, { description: 'the server is called' });
  return held.shift() as Exchange;
}

it('a task goes on with a renewed token after everything was killed, and neither files nor logs have a token', async () => {
  authority.renews = true;
  const reports = { url: upstream.url, auth: { grant: 'token-exchange', ...authority.auth }, tools: { read: { task: 'optional' } } };
  const env = {
    PORT: String(await freePort()),
    LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { reports } }),
    LONGHAUL_FEATURES: '@longhaul/proxy/feature',
    LONGHAUL_ISSUERS: JSON.stringify([issuer.setting()]),
    LONGHAUL_PUBLIC_URL: PUBLIC_URL,
    LONGHAUL_KEYS: `first=text:${randomBytes(32).toString('hex')}`,
    LONGHAUL_TOKENS: `operator:${randomBytes(16).toString('hex')}`,
    LOG_LEVEL: 'debug',
  };
  const first = place.run(['start'], env);
  const { href } = await first.endpoint();
  const own = await issuer.token({ claims: { sub: 'ada' } });
  const ada = client2026(href, own);
  const created = await ada.call('tools/call', { name: 'read', arguments: {} });
  const taskId = created.result?.['taskId'];
  const before = tokenIn((await nextCall()).headers.authorization);
  for (const pid of place.family(first)) process.kill(pid, 'SIGKILL');
  await first.ended;
  over.add(before);

  const second = place.run(['start'], env);
  await second.endpoint();
  const again = await nextCall();
  const after = tokenIn(again.headers.authorization);
  again.result({ content: [{ type: 'text', text: 'done' }] });
  const ended = await waitUntil(
    async () => {
      const { result } = await ada.call('tasks/get', { taskId });
      return result?.['status'] === 'completed' ? result : undefined;
    },
    { description: 'the task has ended' },
  );
  expect(JSON.stringify(ended)).toContain('done');
  expect([before, after].every((token) => token.startsWith('of-ada-'))).toBe(true);
  expect(after).not.toBe(before);

  const entries = readdirSync(place.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  expect(texts.length).toBeGreaterThan(0);
  texts.push(...[first, second].flatMap((launcher) => [launcher.stdout(), launcher.stderr()]));
  for (const secret of [own, own.split('.')[2] ?? '', before, after, 'renews-ada'])
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
});
