/** Tests Fetch on separate gateways and workers, in both versions of the protocol. */
import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { resultFromTaskOutcome } from '@modelcontextprotocol/ext-tasks/client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployment, type Environment } from '../../support/deployment.js';
import { connectTaskClient, type Generation } from '../../support/ext-tasks.js';
import { waitUntil } from '../../support/wait-until.js';

const servers = new LocalServers();
const deployments: Deployment[] = [];

async function deploy(env: Environment): Promise<string> {
  const deployment = Deployment.create({ LONGHAUL_FEATURES: '@longhaul/reference-servers/fetch', ...env });
  deployments.push(deployment);
  const [gateway] = await Promise.all([deployment.gateway(), deployment.worker()]);
  return gateway.url;
}

/** A client that knows nothing of tasks. */
async function connect(url: string, generation: Generation = '2025-11-25'): Promise<Client> {
  const pinned = generation === '2026-07-28' && ({ versionNegotiation: { mode: { pin: generation } } } as const);
  const client = new Client({ name: 'test', version: '1' }, { capabilities: {}, ...pinned });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

afterAll(async () => {
  await Promise.all(deployments.map((deployment) => deployment.close()));
});

const SENTENCE = 'A sentence of an article, with commas, and with enough words to be taken for prose.';
const ARTICLE = `<html><head><title>T</title></head><body><article><h2>Sub heading</h2><p>${SENTENCE}</p></article></body></html>`;
const DEEP = `<html><body>${'<div>'.repeat(20_000)}too deep</body></html>`;

interface Site {
  readonly url: string;
  /** Method, path and user agent of each request. */
  readonly asked: string[];
  /** Ends what is still open. */
  readonly end: () => void;
  /** How many requests the client has broken off. */
  broken(): number;
}

/** A site with pages of all kinds, on this machine. */
async function startSite(): Promise<Site> {
  const asked: string[] = [];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  let broken = 0;
  const pages: Readonly<Record<string, RequestListener>> = {
    '/article': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(ARTICLE),
    '/deep': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(DEEP),
    '/text': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end(`a😀${'x'.repeat(20)}z`),
    '/slow': (_request, response) => {
      response.on('close', () => void (broken += response.writableFinished ? 0 : 1));
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '200000' }).write('x'.repeat(100_000));
      void mayEnd.then(() => response.end('x'.repeat(100_000)));
    },
    '/forbidden': (_request, response) => response.end('forbidden'),
    '/robots.txt': (_request, response) => response.end('User-agent: *\nDisallow: /forbidden'),
  };
  const port = await servers.start((request, response) => {
    asked.push(`${request.url} ${request.headers['user-agent']}`);
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(request, response);
  });
  return { url: `http://127.0.0.1:${port}`, asked, end, broken: () => broken };
}

let site: Site;
beforeEach(async () => {
  site = await startSite();
});
afterEach(() => servers.stop());

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const paths = (): string[] => site.asked.map((request) => request.split(' ', 1)[0] ?? '');

let url: string;
beforeAll(async () => {
  url = await deploy({ LONGHAUL_FETCH_ALLOW_PRIVATE: '1' });
});

describe.each(['2025-11-25', '2026-07-28'] as const)('Fetch in revision %s', (generation) => {
  let client: Client;
  beforeEach(async () => {
    client = await connect(url, generation);
  });
  afterEach(() => client.close());

  const call = (args: Record<string, unknown>): Promise<unknown> => client.callTool({ name: 'fetch', arguments: args });

  it('lists one tool and one prompt', async () => {
    // Clients of 2026-07-28 that know nothing of tasks have tools for them.
    const names = (await client.listTools()).tools.map(({ name }) => name).filter((name) => !name.startsWith('task_'));
    expect(names).toEqual(['fetch']);
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['fetch']);
  });

  it('makes Markdown of a page, in a process of its own, after robots.txt', async () => {
    expect(textOf(await call({ url: `${site.url}/article` }))).toBe(`Contents of ${site.url}/article:\n## Sub heading\n\n${SENTENCE}`);
    const agent = 'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)';
    expect(site.asked).toEqual([`/robots.txt ${agent}`, `/article ${agent}`]);
  });

  it('says in its result what went wrong', async () => {
    const gone = await call({ url: `${site.url}/none` });
    expect(gone).toMatchObject({ isError: true });
    expect(textOf(gone)).toBe(`Error executing tool fetch: Failed to fetch ${site.url}/none - status code 404`);
    expect(textOf(await call({ url: `${site.url}/forbidden` }))).toContain(
      `Error executing tool fetch: The sites robots.txt (${site.url}/robots.txt), specifies that autonomous fetching`,
    );
    expect(paths()).not.toContain('/forbidden');
  });

  it('reports the bytes of a page as progress', async () => {
    const reported: { readonly progress: number; readonly total?: number | undefined }[] = [];
    const onprogress = (report: { readonly progress: number; readonly total?: number | undefined }): void => void reported.push(report);
    const calling = client.callTool({ name: 'fetch', arguments: { url: `${site.url}/slow` } }, { onprogress });
    await waitUntil(() => reported.some(({ progress }) => progress === 100_000), { description: 'half of it is reported' });
    expect(reported.at(-1)).toMatchObject({ progress: 100_000, total: 200_000 });
    site.end();
    expect(textOf(await calling)).toContain('start_index of 5000');
  });

  it('ends a download when its task is cancelled', async () => {
    const { session, close } = await connectTaskClient(url, generation);
    const execution = await session.callTool('fetch', { url: `${site.url}/slow` }, { task: { preference: 'require' } });
    await waitUntil(() => paths().includes('/slow'), { description: 'the download has begun' });
    await execution.cancel();
    expect((await execution.settle()).outcome.status).toBe('cancelled');
    await waitUntil(() => site.broken() === 1, { description: 'the download is broken off' });
    await close();
  });

  it('returns a page as the result of a task', async () => {
    const { session, close } = await connectTaskClient(url, generation);
    const execution = await session.callTool('fetch', { url: `${site.url}/article`, raw: true }, { task: { preference: 'require' } });
    expect(execution.kind).toBe('task');
    expect(textOf(resultFromTaskOutcome((await execution.settle()).outcome))).toBe(
      `Content type text/html cannot be simplified to markdown, but here is the raw content:\nContents of ${site.url}/article:\n${ARTICLE}`,
    );
    await close();
  });

  it('has a page as a prompt, no matter what robots.txt says', async () => {
    const { messages } = await client.getPrompt({ name: 'fetch', arguments: { url: `${site.url}/article` } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: `## Sub heading\n\n${SENTENCE}` } }]);
    expect(paths()).toEqual(['/article']);
  });
});

describe('a call of Fetch', () => {
  let client: Client;
  beforeEach(async () => {
    client = await connect(url);
  });
  afterEach(() => client.close());

  const call = (args: Record<string, unknown>): Promise<unknown> => client.callTool({ name: 'fetch', arguments: args });

  it('survives a page that is nested too deeply', async () => {
    expect(textOf(await call({ url: `${site.url}/deep` }))).toContain('<error>Page failed to be simplified from HTML</error>');
  });

  it('returns a page part by part, of which the first one fetches it', async () => {
    const parts: string[] = [];
    for (const start of [0, 10, 20, 30]) {
      const text = textOf(await call({ url: `${site.url}/text`, start_index: start, max_length: 10 }));
      const [, shown = ''] = text.split(`Contents of ${site.url}/text:\n`);
      const more = `\n\n<error>Content truncated. Call the fetch tool with a start_index of ${start + 10} to get more content.</error>`;
      expect(shown.endsWith(more)).toBe(start < 20 && start + 10 < 23);
      parts.push(shown.replace(more, ''));
    }
    expect(parts).toEqual(['a😀xxxxxxxx', 'xxxxxxxxxx', 'xxz', '<error>No more content available.</error>']);
    expect(paths()).toEqual(['/robots.txt', '/text']);
    await call({ url: `${site.url}/text` });
    expect(paths()).toEqual(['/robots.txt', '/text', '/robots.txt', '/text']);
  });
});

describe('robots.txt of a server that is in trouble', () => {
  it('is asked for again', async () => {
    const client = await connect(url);
    const asked: string[] = [];
    const port = await servers.start((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(asked.length === 1 ? 503 : 200, { 'content-type': 'text/plain' }).end('Allow: /');
    });
    const page = `http://127.0.0.1:${port}/page`;
    expect(textOf(await client.callTool({ name: 'fetch', arguments: { url: page } }))).toContain(`Contents of ${page}:\nAllow: /`);
    expect(asked).toEqual(['/robots.txt', '/robots.txt', '/page']);
    await client.close();
  });
});

describe('the settings of Fetch', () => {
  it('choose the user agent, the proxy, the size of pages and whether robots.txt is asked', async () => {
    const asked: string[] = [];
    const proxy = await servers.start((request, response) => {
      asked.push(`${request.url} ${request.headers['user-agent']}`);
      response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(request.url?.endsWith('/large') === true ? 11 : 10));
    });
    const url = await deploy({
      LONGHAUL_FETCH_USER_AGENT: 'MyBot',
      LONGHAUL_FETCH_PROXY_URL: `http://127.0.0.1:${proxy}`,
      LONGHAUL_FETCH_MAX_BYTES: '10',
      LONGHAUL_FETCH_IGNORE_ROBOTS: '1',
    });
    const client = await connect(url);
    const fetched = async (page: string): Promise<string> => textOf(await client.callTool({ name: 'fetch', arguments: { url: page } }));
    expect(await fetched('http://page.test/small')).toContain('Contents of http://page.test/small:\nxxxxxxxxxx');
    expect(await fetched('http://page.test/large')).toBe(
      'Error executing tool fetch: Failed to fetch http://page.test/large: it is larger than 10 bytes, which is the limit',
    );
    expect(asked).toEqual(['http://page.test/small MyBot', 'http://page.test/large MyBot']);
    await client.close();
  });
});
