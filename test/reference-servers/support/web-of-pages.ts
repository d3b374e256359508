/** A web that is the same wherever it is served, on an address of its own, and that knows what it was asked. */
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What `robots.txt` answers; `silence` says nothing, and `half` does not end. */
export type Robots = { readonly status: number; readonly body?: string; readonly location?: string } | 'silence' | 'half';

/** A web. */
export interface Web {
  readonly url: string;
  /** Path and user agent of each request since the last look. */
  asked(): readonly string[];
  setRobots(robots: Robots): void;
  close(): Promise<void>;
}

const SENTENCES = [
  'The tide came in over the flats, and with it came the boats that had waited since the morning.',
  'Nobody on the quay had expected them so early, although the wind had been fair for a week.',
  'They carried salt, rope, and a cargo of letters, of which the last one was three years old.',
];
const PARAGRAPHS = Array.from({ length: 6 }, () => `<p>${SENTENCES.join(' ')}</p>`).join('\n');

const page = (body: string, head = '<title>A title</title>'): string =>
  `<!doctype html>\n<html lang="en"><head>${head}</head><body>${body}</body></html>`;
const article = (body: string, head?: string): string => page(`<article><h1>The harbour</h1>\n${body}\n${PARAGRAPHS}</article>`, head);

const HTML = 'text/html; charset=utf-8';
type Content = readonly [type: string | undefined, body: string | Uint8Array, headers?: Readonly<Record<string, string>>];

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** What is at a path; a name says what is in it. */
export const PAGES: Readonly<Record<string, Content>> = {
  '/article': [HTML, article('')],
  '/headings': [HTML, article(`<h2>Second</h2><p>${SENTENCES[0]}</p><h3>Third</h3><p>${SENTENCES[1]}</p><h6>Sixth</h6>`)],
  '/inline': [
    HTML,
    article('<p>Some <b>bold</b>, <strong>strong</strong>, <i>italic</i>, <em>emphasised</em> and <code>code</code> words.</p>'),
  ],
  '/lists': [HTML, article('<ul><li>one</li><li>two<ul><li>inner</li></ul></li></ul><ol><li>first</li><li>second</li></ol>')],
  '/links': [
    HTML,
    article(
      `<p>A <a href="/article">relative</a>, an <a href="https://example.com/x?a=1&amp;b=2">absolute</a> and an <a href="#part">inner</a> link. ${SENTENCES[0]}</p>`,
    ),
  ],
  '/image': [HTML, article(`<p>${SENTENCES[0]} <img src="/boat.png" alt="A boat"></p>`)],
  '/code': [HTML, article('<pre><code class="language-js">const a = 1;\n  if (a &lt; 2) run();\n</code></pre><pre>plain\n  text</pre>')],
  '/table': [
    HTML,
    article('<table><thead><tr><th>Name</th><th>Age</th></tr></thead><tbody><tr><td>Ada</td><td>36</td></tr></tbody></table>'),
  ],
  '/quote': [HTML, article(`<blockquote><p>${SENTENCES[1]}</p></blockquote><hr>`)],
  '/special': [HTML, article('<p>1. no list, *stars*, _lines_, # no heading, [brackets], `ticks` &amp; &lt;tags&gt; — “quotes” 🤖</p>')],
  '/breaks': [HTML, article('<p>first line<br>second line</p><div>a division</div>')],
  '/noise': [
    HTML,
    page(
      `<nav><a href="/">Home</a> <a href="/x">X</a></nav><script>run()</script><style>p{}</style><article><h1>The harbour</h1>${PARAGRAPHS}</article><footer>a footer</footer>`,
    ),
  ],
  '/no-type': [undefined, article('')],
  '/html-in-plain': ['text/plain', article('')],
  '/late-html': ['text/plain', `${' '.repeat(100)}<html>not simplified</html>`],
  '/xhtml': ['application/xhtml+xml', article('')],
  '/few-words': [HTML, page('<p>Hello.</p>')],
  '/empty': [HTML, ''],
  '/no-text': [HTML, page('<script>run()</script>')],
  '/by-script': [HTML, page(`<div id="app"></div><div style="display:none">${PARAGRAPHS}</div>`)],
  '/text': ['text/plain', 'a plain text\n  with lines\n'],
  '/letters': ['text/plain', 'abcdefghij'.repeat(3)],
  '/emoji': ['text/plain; charset=utf-8', '🤖👩‍👧é'.repeat(4)],
  '/json': ['application/json', '{"a": [1, 2]}'],
  '/bytes': ['application/octet-stream', Uint8Array.from([0, 1, 0x80, 255])],
  '/no-content': ['text/plain', ''],
  '/latin1': ['text/plain; charset=iso-8859-1', latin1('äöü')],
  '/latin1-unsaid': ['text/plain', latin1('äöü and more')],
  '/latin1-in-page': [HTML.replace('utf-8', 'iso-8859-1'), latin1(article('<p>äöü</p>'))],
  '/meta-charset': ['text/html', latin1(article('<p>äöü</p>', '<meta charset="iso-8859-1"><title>t</title>'))],
  '/bom': ['text/plain; charset=utf-8', '\u{feff}with a mark'],
  '/gzip': ['text/plain', gzipSync('it was small'), { 'content-encoding': 'gzip' }],
  '/long': ['text/plain', 'x'.repeat(5_001)],
};

const REDIRECTS: Readonly<Record<string, readonly [status: number, location: string]>> = {
  '/to-text': [302, '/text'],
  '/to-article': [301, '/article'],
  '/to-links': [308, '/links'],
  '/around': [302, '/around'],
  '/to-forbidden': [302, '/forbidden'],
  '/to-file': [302, 'file:///etc/passwd'],
};
const STATUSES: Readonly<Record<string, number>> = {
  '/400': 400,
  '/401': 401,
  '/403': 403,
  '/404': 404,
  '/410': 410,
  '/500': 500,
  '/503': 503,
  '/204': 204,
};

export async function serveWeb(): Promise<Web> {
  let robots: Robots = { status: 404 };
  let asked: string[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push(`${url} ${headers['user-agent']}`);
    const { pathname } = new URL(url, 'http://web');
    if (pathname === '/robots.txt') answerRobots(response, robots);
    else answer(response, pathname);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked() {
      const list = asked;
      asked = [];
      return list;
    },
    setRobots: (to) => void (robots = to),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answerRobots(response: ServerResponse, robots: Robots): void {
  if (robots === 'silence') return;
  if (robots === 'half') return void response.writeHead(200).write('User-agent: *\n');
  response.writeHead(robots.status, robots.location === undefined ? {} : { location: robots.location }).end(robots.body ?? '');
}

function answer(response: ServerResponse, path: string): void {
  const [status, location] = REDIRECTS[path] ?? [];
  if (status !== undefined && location !== undefined) return void response.writeHead(status, { location }).end();
  if (path === '/broken') return void response.destroy();
  if (path === '/half') return void response.writeHead(200, { 'content-length': '100' }).write('x', () => response.destroy());
  const [type, body, headers = {}] = PAGES[path] ?? ['text/plain', `at ${path}`];
  // Without a date and what else Node adds.
  if (type !== undefined) response.setHeader('content-type', type);
  response.writeHead(STATUSES[path] ?? 200, headers).end(STATUSES[path] === 204 ? undefined : body);
}
