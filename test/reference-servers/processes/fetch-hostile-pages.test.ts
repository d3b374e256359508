/** Tests pages that are made to take time and memory: they end neither a worker nor a gateway, and other callers are still served. */
import { readdirSync, readFileSync } from 'node:fs';
import { LocalServers } from '@longhaul/runtime/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type Process } from '../../support/deployment.js';
import { waitUntil } from '../../support/wait-until.js';

const MIB = 1024 * 1024;
/** The limits of a container in our charts. */
const MEMORY_MIB = 512;

const filled = (bytes: number, part: (index: number) => string): string => {
  const parts: string[] = ['<html><body>'];
  for (let index = 0, length = 0; length < bytes; index++) {
    const next = part(index);
    parts.push(next);
    length += next.length;
  }
  return parts.join('');
};

/** Less than is simplified, so that it is computed. */
const COMPUTED = 1.9 * MIB;
const HOSTILE: Readonly<Record<string, () => string>> = {
  '/attributes': () => filled(COMPUTED, (index) => `${index === 0 ? '<p ' : ''}a${index} `),
  '/elements': () => filled(COMPUTED, () => '<b></b>'),
  '/deep': () => filled(COMPUTED, () => '<table><td>'),
};
const HUGE: Readonly<Record<string, () => string>> = {
  '/huge-deep': () => filled(9.5 * MIB, () => '<div>'),
  '/huge-attributes': () => filled(9.5 * MIB, (index) => `${index === 0 ? '<p ' : ''}a${index} `),
};
const ARTICLE = '<html><body><article><h2>Sub heading</h2><p>Some words of an article.</p></article></body></html>';
const MARKDOWN = '## Sub heading\n\nSome words of an article.';

const servers = new LocalServers();
let site: string;
let asked: string[];

beforeEach(async () => {
  asked = [];
  const port = await servers.start(({ url = '' }, response) => {
    asked.push(url);
    const page = HOSTILE[url] ?? HUGE[url];
    if (url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(page === undefined ? ARTICLE : page());
  });
  site = `http://127.0.0.1:${port}`;
});
afterEach(() => servers.stop());

interface Content {
  readonly content: readonly { readonly text: string }[];
}

const status = (pid: number | string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const pidOf = ({ child }: Process): number => child.pid ?? expect.fail('It does not run.');

/** The processes that compute pages for a process. */
function extractionsOf(parent: number): readonly string[] {
  return readdirSync('/proc').filter((entry) => {
    try {
      return /^\d+$/.test(entry) && readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(`extraction-process.js\0${parent}\0`);
    } catch {
      return false; // It has ended.
    }
  });
}

function expectAlive(process: Process): void {
  expect(process.child.exitCode ?? process.child.signalCode).toBeNull();
  expect(status(pidOf(process), 'VmHWM') / 1024).toBeLessThan(MEMORY_MIB);
}

describe('a hostile page', () => {
  const deployment = Deployment.create({
    LONGHAUL_FEATURES: '@longhaul/reference-servers/fetch',
    LONGHAUL_FETCH_ALLOW_PRIVATE: '1',
    LONGHAUL_TOKENS: 'ada:token-of-ada-00001,bob:token-of-bob-00001',
    // On a busy machine a page takes longer than a call otherwise waits.
    LONGHAUL_SYNC_WAIT_MS: '300000',
  });
  const clients: Client[] = [];
  let gateway: Process;
  let worker: Process;
  let ada: Client;
  let bob: Client;

  beforeAll(async () => {
    [gateway, worker] = await Promise.all([deployment.gateway(), deployment.worker()]);
    const connect = async (name: string): Promise<Client> => {
      const client = new Client({ name, version: '1' }, { capabilities: {} });
      const headers = { authorization: `Bearer token-of-${name}-00001` };
      await client.connect(new StreamableHTTPClientTransport(new URL(gateway.url), { requestInit: { headers } }));
      clients.push(client);
      return client;
    };
    [ada, bob] = await Promise.all([connect('ada'), connect('bob')]);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await deployment.close();
  });

  const options = { timeout: 300_000 };
  const fetched = async (client: Client, path: string): Promise<string> => {
    const { content } = (await client.callTool({ name: 'fetch', arguments: { url: site + path } }, options)) as Content;
    return content[0]?.text ?? '';
  };

  it('ends no worker, and another caller gets a page meanwhile', { timeout: 300_000 }, async () => {
    const before = pidOf(worker);
    let ended = 0;
    const paths = Object.keys(HOSTILE);
    const reading = paths.map((path) => fetched(ada, path).finally(() => void (ended += 1)));
    await waitUntil(() => extractionsOf(before).length > 0, { description: 'a page is computed', timeoutMs: 60_000 });
    expect(await fetched(bob, '/article')).toBe(`Contents of ${site}/article:\n${MARKDOWN}`);
    expect(ended).toBeLessThan(paths.length);
    for (const text of await Promise.all(reading))
      expect(text).toMatch(/Contents of|its simplification (takes (longer than|more than)|failed)/);
    expectAlive(worker);
    expect(extractionsOf(before)).toEqual([]);
  });

  it('is not simplified when it is too large: its beginning is returned raw, and says so', async () => {
    for (const path of Object.keys(HUGE)) {
      const text = await fetched(ada, path);
      expect(text).toMatch(/^This page has 99\d{5} bytes of HTML\. At most 2097152 bytes are simplified to markdown, so here is/);
      expect(text).toContain(`Contents of ${site}${path}:\n<html><body><`);
    }
    expectAlive(worker);
  });

  it('ends no gateway that a prompt has read it, and another caller is served meanwhile', { timeout: 300_000 }, async () => {
    const prompt = async (client: Client, path: string): Promise<string> => {
      const { messages } = await client.getPrompt({ name: 'fetch', arguments: { url: site + path } }, options);
      return (messages as unknown as readonly { readonly content: { readonly text: string } }[])[0]?.content.text ?? '';
    };
    const reading = prompt(ada, '/elements');
    await waitUntil(() => extractionsOf(pidOf(gateway)).length > 0, { description: 'a page is computed', timeoutMs: 60_000 });
    expect(await prompt(bob, '/article')).toBe(MARKDOWN);
    await reading;
    expectAlive(gateway);
  });

  it('is not computed any more when its worker has died', async () => {
    const dying = await deployment.worker();
    await worker.stop();
    const call = fetched(ada, '/elements').catch(() => '');
    await waitUntil(() => extractionsOf(pidOf(dying)).length > 0, { description: 'a page is computed', timeoutMs: 60_000 });
    await dying.kill();
    await waitUntil(() => extractionsOf(pidOf(dying)).length === 0, { description: 'its process has ended', timeoutMs: 60_000 });
    worker = await deployment.worker();
    expect(await call).not.toBe('');
  });
});
