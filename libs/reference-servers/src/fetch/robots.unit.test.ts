import { LocalServers, type RequestListener } from '@longhaul/runtime/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { internet, LOCAL, read, type ReadOptions } from './internet.fixture.js';

const servers = new LocalServers();
afterEach(() => servers.stop());

const AGENT = 'ModelContextProtocol/1.0 (Autonomous; +https://github.com/modelcontextprotocol/servers)';

/** A site with a robots.txt and pages that are called like what they say; `asked` has the paths of all requests. */
async function site(robots: RequestListener | string): Promise<{ readonly url: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const port = await servers.start((request, response) => {
    asked.push(request.url ?? '');
    if (request.url !== '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end(request.url);
    else if (typeof robots === 'string') response.end(robots);
    else robots(request, response);
  });
  return { url: `http://localhost.test:${port}`, asked };
}

const status =
  (code: number): RequestListener =>
  (_request, response) =>
    response.writeHead(code).end('User-agent: *\nDisallow: /');

const obeying = async (url: string, options: ReadOptions = {}): Promise<string> =>
  (await read(url, { obeysRobots: true, userAgent: AGENT, ...options })).text;

describe('robots.txt', () => {
  it.each([400, 404, 410, 499])('that is not there (%d) allows everything', async (code) => {
    const { url, asked } = await site(status(code));
    expect(await obeying(`${url}/page`)).toBe('/page');
    expect(asked).toEqual(['/robots.txt', '/page']);
  });

  it.each([401, 403])('that is not shown (%d) allows nothing', async (code) => {
    const { url, asked } = await site(status(code));
    await expect(obeying(`${url}/page`)).rejects.toThrow(
      `When fetching robots.txt (${url}/robots.txt), received status ${code} so assuming that autonomous fetching is not allowed, ` +
        'the user can try manually fetching by using the fetch prompt',
    );
    expect(asked).toEqual(['/robots.txt']);
  });

  it.each([500, 503])('of a server that is in trouble (%d) means not now, with any rules', async (code) => {
    const { url, asked } = await site(status(code));
    const reading = obeying(`${url}/page`);
    await expect(reading).rejects.toThrow(`robots.txt ${url}/robots.txt answered with status ${code}, which means`);
    await expect(reading).rejects.toMatchObject({ name: 'NotNow' });
    expect(asked).toEqual(['/robots.txt']);
  });

  it.each<[string, RequestListener, ReadOptions]>([
    ['does not come in time', () => undefined, { limits: { robotsMs: 50 } }],
    ['does not end in time', (_request, response) => response.write('User-agent: *'), { limits: { robotsMs: 50 } }],
    ['comes with a broken connection', (_request, response) => response.destroy(), {}],
  ])('that %s allows nothing', async (_what, robots, options) => {
    const { url, asked } = await site(robots);
    await expect(obeying(`${url}/page`, options)).rejects.toThrow(`Failed to fetch robots.txt ${url}/robots.txt due to a connection issue`);
    expect(asked).toEqual(['/robots.txt']);
  });

  it('of a server without a connection allows nothing', async () => {
    await expect(obeying('http://127.0.0.1:2/page')).rejects.toThrow(
      'Failed to fetch robots.txt http://127.0.0.1:2/robots.txt due to a connection issue',
    );
  });

  it.each(['data:text/plain,x', 'mailto:a@b.test', 'about:blank'])('of what is at no server allows nothing: %s', async (url) => {
    await expect(obeying(url)).rejects.toThrow(/^Failed to fetch robots\.txt (data|mailto|about):\/robots\.txt due to a connection issue$/);
  });

  it('is followed', async () => {
    const rules = 'User-agent: *\nDisallow: /private # not for all\n# Disallow: /\nAllow: /private/but';
    const { url } = await site(rules);
    expect(await obeying(`${url}/page`)).toBe('/page');
    expect(await obeying(`${url}/private/but`)).toBe('/private/but');
    await expect(obeying(`${url}/private/page?q=1`)).rejects.toThrow(
      `The sites robots.txt (${url}/robots.txt), specifies that autonomous fetching of this page is not allowed, ` +
        `<useragent>${AGENT}</useragent>\n<url>${url}/private/page?q=1</url><robots>\n${rules}\n</robots>\n` +
        'The assistant must let the user know that it failed to view the page. ' +
        'The assistant may provide further guidance based on the above information.\n' +
        'The assistant can tell the user that they can try manually fetching the page by using the fetch prompt within their UI.',
    );
  });

  it.each([
    ['ModelContextProtocol', AGENT],
    ['modelcontextprotocol', AGENT],
    ['MyBot', 'MyBot'],
    ['MyBot', 'MyBot (+https://example.com/bot)'],
  ])('has rules for %s, which %s follows in place of those for all', async (named, userAgent) => {
    const { url } = await site(`User-agent: ${named}\nDisallow: /a\n\nUser-agent: *\nDisallow: /b`);
    await expect(obeying(`${url}/a`, { userAgent })).rejects.toThrow(`<useragent>${userAgent}</useragent>`);
    expect(await obeying(`${url}/b`, { userAgent })).toBe('/b');
  });

  it('is where it redirects to', async () => {
    const other = await site('User-agent: *\nDisallow: /');
    const { url } = await site((_request, response) => response.writeHead(301, { location: `${other.url}/robots.txt` }).end());
    await expect(obeying(`${url}/page`)).rejects.toThrow(`The sites robots.txt (${url}/robots.txt), specifies`);
    expect(other.asked).toEqual(['/robots.txt']);
  });

  it('is read as far as its first 512 KiB, and shown as far as its first 20,000 characters', async () => {
    const { url } = await site(`User-agent: *\nDisallow: /a\n${'# comment\n'.repeat(60_000)}Disallow: /b`);
    expect(await obeying(`${url}/b`)).toBe('/b');
    await expect(obeying(`${url}/a`)).rejects.toThrow(/<robots>\n[^…]{20000}…\n<\/robots>/);
  });

  it('is refused when to match it would take long', async () => {
    const { url } = await site(`User-agent: *\n${`Disallow: /${'*a'.repeat(1_000)}\n`.repeat(200)}`);
    const reading = obeying(`${url}/${'a'.repeat(4_000)}`);
    await expect(reading).rejects.toThrow(`Failed to check robots.txt ${url}/robots.txt: it has too many patterns`);
  });

  it('is not asked by a URL with a password, nor by a redirect to one, which stays unsaid', async () => {
    const { url, asked } = await site('');
    const secret = url.replace('//', '//ada:hush@');
    const reason = 'a URL must not have a user name or a password';
    await expect(obeying(`${secret}/page`)).rejects.toThrow(`Failed to fetch ${secret}/page: ${reason}`);
    expect(asked).toEqual([]);
    const port = await servers.start(({ url: path }, response) => {
      if (path === '/robots.txt') response.end('');
      else response.writeHead(302, { location: `${secret}/page` }).end();
    });
    const from = `http://localhost.test:${port}/`;
    await expect(obeying(from)).rejects.toThrow(`Failed to fetch ${from}: ${reason}`);
  });

  it('is asked at every redirect before what it leads to', async () => {
    const other = await site('User-agent: *\nDisallow: /secret');
    const asked: string[] = [];
    const port = await servers.start(({ url: path = '' }, response) => {
      asked.push(path);
      if (path === '/robots.txt') response.writeHead(404).end();
      else response.writeHead(302, { location: `${other.url}${path}` }).end();
    });
    const url = `http://localhost.test:${port}`;
    await expect(obeying(`${url}/secret`)).rejects.toThrow(`<url>${other.url}/secret</url>`);
    expect(other.asked).toEqual(['/robots.txt']);
    expect(await obeying(`${url}/open`)).toBe('/open');
    expect(other.asked).toEqual(['/robots.txt', '/robots.txt', '/open']);
    expect(asked).toEqual(['/robots.txt', '/secret', '/robots.txt', '/open']);
  });

  it('is not asked for those who ignore it, not even at redirects', async () => {
    const { url, asked } = await site('User-agent: *\nDisallow: /');
    expect((await read(`${url}/page`, { network: internet([LOCAL]) })).text).toBe('/page');
    expect(asked).toEqual(['/page']);
  });
});
