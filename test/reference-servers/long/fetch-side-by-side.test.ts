/** Compares the reference server Fetch with ours, for the same pages of the same web. */
import { call, request } from '../../everything/support/probe.js';
import { AS_TASKS, OF_PYTHON } from '../support/meant-for-all.js';
import { ofPython } from '../support/references.js';
import type { SideClient } from '../support/side-client.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from '../support/side-by-side.js';
import { PAGES, type Robots, serveWeb, type Web } from '../support/web-of-pages.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_PYTHON,
  AS_TASKS,
  {
    differs: 'the bytes of a page are reported as progress',
    reason: 'A large page takes a while.',
    matches: /^fetch .* › notified\.notifications\/progress: nothing ≠/,
  },
  {
    differs: 'links and images are absolute',
    reason: 'A model cannot follow a relative link.',
    matches:
      /^fetch \{"url":"<place>\/(to-)?(links|image)"\} › result\.content\.0\.text: .*\]\((\/article|\/boat\.png)\).* ≠ .*\]\(<place>\/(article|boat\.png)\)/,
  },
  {
    differs: 'more of what is special in Markdown is escaped',
    reason: 'What is no list on the page is none in Markdown.',
    matches: /^fetch \{"url":"<place>\/special"\} › result\.content\.0\.text: .*1\. no list.* ≠ .*1\\\\\. no list.*\\\\\[brackets\\\\\]/,
  },
  {
    differs: 'where Readability keeps less than half of the text, the whole body is given, and a line says so',
    reason: 'Pages that are built by scripts lose most of their text.',
    matches:
      /^fetch \{"url":"<place>\/by-script"\} › result\.content\.0\.text: .*failed to be simplified.* ≠ "Simplification would have lost most/,
  },
  {
    differs: 'the encoding is also read from the page',
    reason: 'A page of an old server says it nowhere else.',
    matches: /^fetch \{"url":"<place>\/meta-charset"\} › result\.content\.0\.text: .*���.* ≠ .*äöü/,
  },
  {
    differs: 'a text that says no encoding and is no UTF-8 is read as windows-1252',
    reason: 'A page of an old server says it nowhere.',
    matches: /^fetch \{"url":"<place>\/latin1-unsaid"\} › result\.content\.0\.text: .*���.* ≠ .*äöü/,
  },
  {
    differs: 'binary data is refused',
    reason: 'A model cannot read it.',
    matches:
      /^fetch \{"url":"<place>\/bytes".*\} › result\.(isError|content\.0\.text): .* ≠ (true|".*it is binary data \(application\/octet-stream\), which has no text to show")$/,
  },
  {
    differs: 'a byte order mark is no part of the text',
    reason: 'It says how the text is encoded.',
    matches: /^fetch \{"url":"<place>\/bom"\} › result\.content\.0\.text: .*\ufeffwith a mark" ≠ .*\\nwith a mark"$/,
  },
  {
    differs: 'reasons after `Failed to fetch …:` are in our words',
    reason: 'They are those of a library there.',
    matches:
      /^(fetch|prompts\/get) .* › result\.(content\.0|messages\.0\.content)\.text: ".*Failed to fetch [^ ]*( url)?: \w+\(.*\)" ≠ ".*Failed to fetch .*: (there were more than 20 redirects|other side closed|it is not a URL|bad port|ftp: is not supported, only http: and https: are)"$/,
  },
  {
    differs: 'a file has no server whose robots.txt could be asked for',
    reason: 'The reference server names the server of the page before.',
    matches:
      /^fetch \{"url":"<place>\/to-file"\} › result\.content\.0\.text: .*file:\/\/127\.0\.0\.1\/robots\.txt.* ≠ .*file:\/\/\/robots\.txt/,
  },
  {
    differs: 'wrong requests for a prompt are refused in the words of this server',
    reason: 'All prompts of it say it so.',
    matches:
      /^prompts\/get (\{"name":"fetch"(,"arguments":\{\})?\}|\{"name":"other".*\}) › error\.message: "(URL is required|Unknown prompt: other)" ≠/,
  },
  {
    differs: 'a page is kept for a minute, for calls with a `start_index`',
    reason: 'Paging does not fetch it again.',
    matches: /^what was asked in paging, \d+ › result\.\d+: /,
  },
  {
    differs: 'a robots.txt with a status of 500 and more means “not now”, and is asked for three times',
    reason: 'The reference server reads the error page as rules.',
    matches: /^(fetch .*, in trouble › result\.|what was asked in trouble, \d+ › result\.\d+: )/,
  },
];

/** Of both sides, by their addresses. */
const webs = new Map<string, Web>();
const webOf = ({ place }: SideClient): Web => {
  const web = webs.get(place);
  if (web === undefined) throw new Error(`There is no web at ${place}.`);
  return web;
};

const page = (path: string, args: Record<string, unknown> = {}, note = ''): SideProbe =>
  call('fetch', { url: `<place>${path}`, ...args }, {}, note);
const prompt = (path: string): SideProbe =>
  request('prompts/get', { name: 'fetch', arguments: { url: path.startsWith('/') ? `<place>${path}` : path } });

let looks = 0;
/** Paths and user agents of what has been asked since the last look. */
const asked = (what: string): SideProbe => {
  looks += 1;
  return { name: `what was asked ${what}, ${looks}`, run: async (client: SideClient) => webOf(client).asked() };
};

const robots = (what: string, to: Robots): SideProbe => ({
  name: `robots.txt: ${what}`,
  run: async (client: SideClient) => webOf(client).setRobots(to),
});

const DISALLOW = 'User-agent: *\nDisallow: /forbidden\n# a comment\nAllow: /forbidden/but\nDisallow: /*.secret$\n';

const ROBOTS: readonly SideProbe[] = [
  robots('rules', { status: 200, body: DISALLOW }),
  ...['/text', '/forbidden', '/forbidden/but/this', '/forbidden?q=1', '/x.secret', '/x.secret.txt', '/to-forbidden'].map((path) =>
    page(path, {}, 'with rules'),
  ),
  asked('with rules'),
  prompt('/forbidden'),
  asked('in a prompt'),
  robots('rules for this one', {
    status: 200,
    body: 'User-agent: ModelContextProtocol\nDisallow: /text\n\nUser-agent: *\nDisallow: /json\n',
  }),
  page('/text', {}, 'forbidden to this one'),
  page('/json', {}, 'forbidden to others'),
  robots('rules for others', { status: 200, body: 'User-agent: OtherBot\nDisallow: /\n' }),
  page('/text', {}, 'forbidden to another'),
  robots('all is forbidden', { status: 200, body: 'User-agent: *\nDisallow: /' }),
  page('/text', {}, 'all is forbidden'),
  robots('no rules', { status: 200, body: '' }),
  page('/text', {}, 'no rules'),
  robots('a page in its place', { status: 200, body: '<html><body>Not found</body></html>' }),
  page('/text', {}, 'a page in its place'),
  ...[400, 401, 403, 404, 410, 418].flatMap((status) => [
    robots(`status ${status}`, { status, body: 'User-agent: *\nDisallow: /' }),
    page('/text', {}, `with ${status}`),
  ]),
  asked('with each status'),
  robots('trouble', { status: 503, body: 'User-agent: *\nDisallow: /json' }),
  asked('before trouble'),
  page('/text', {}, 'in trouble'),
  asked('in trouble'),
  robots('a redirect', { status: 302, location: '/elsewhere/robots.txt' }),
  page('/text', {}, 'redirected'),
  robots('a redirect without an end', { status: 302, location: '/robots.txt' }),
  page('/text', {}, 'redirected without an end'),
  robots('silence', 'silence'),
  page('/text', {}, 'in silence'),
  robots('half of it', 'half'),
  page('/text', {}, 'with half of it'),
  robots('none', { status: 404 }),
];

const PROBES: readonly SideProbe[] = [
  request('tools/list'),
  request('prompts/list'),
  ...Object.keys(PAGES).map((path) => page(path)),
  ...['/article', '/text', '/empty', '/no-type', '/latin1', '/no-content'].map((path) => page(path, { raw: true })),
  asked('for pages'),
  ...[
    '/to-text',
    '/to-article',
    '/to-links',
    '/around',
    '/to-file',
    '/400',
    '/401',
    '/403',
    '/404',
    '/410',
    '/500',
    '/503',
    '/204',
    '/broken',
    '/half',
    '/unknown',
    '',
  ].map((path) => page(path)),
  asked('for pages of other kinds'),
  ...[
    { max_length: 10 },
    { max_length: 30 },
    { max_length: 29 },
    { start_index: 25 },
    { start_index: 29 },
    { start_index: 30 },
    { start_index: 31 },
    { start_index: 10, max_length: 5 },
    { max_length: 1 },
    { max_length: 999_999 },
  ].map((args) => page('/letters', args)),
  ...[{ max_length: 3 }, { start_index: 1, max_length: 4 }, { start_index: 5 }].map((args) => page('/emoji', args)),
  page('/no-content', { start_index: 0 }),
  page('/article', { start_index: 100, max_length: 200 }),
  asked('in paging'),
  ...['/text?q=a b', '/te%78t', '/a/../text', '/text#part', '/ünï'].map((path) => page(path)),
  ...['http://127.0.0.1:1/', 'http://nowhere.invalid/', 'ftp://127.0.0.1/x', 'file:///etc/passwd', 'http:///x', 'data:text/plain,x'].map(
    (url) => call('fetch', { url }),
  ),
  call('fetch', { url: '<place>/text', more: 1 }),
  ...[
    {},
    { url: '' },
    { url: 'no url' },
    { url: 1 },
    { url: null },
    ...[
      { max_length: 0 },
      { max_length: 1_000_000 },
      { max_length: '10' },
      { max_length: 1.5 },
      { start_index: -1 },
      { start_index: 'x' },
      { raw: 'yes' },
      { raw: 1 },
    ].map((args) => ({ url: '<place>/text', ...args })),
  ].map((args) => call('fetch', args, {}, 'wrong')),
  ...[
    '/article',
    '/text',
    '/404',
    '/500',
    '/broken',
    '/empty',
    '/around',
    '/to-text',
    '/long',
    'no url',
    '',
    'http://127.0.0.1:1/',
    'ftp://127.0.0.1/',
  ].map(prompt),
  request('prompts/get', { name: 'fetch' }),
  request('prompts/get', { name: 'fetch', arguments: {} }),
  request('prompts/get', { name: 'other', arguments: { url: 'x' } }),
  asked('at last'),
  ...ROBOTS,
  call('no_such_tool', {}),
];

describeSideBySide({
  reference: ofPython('Fetch', 'mcp_server_fetch'),
  features: '@longhaul/reference-servers/fetch',
  async settings(side) {
    const web = await serveWeb();
    webs.set(web.url, web);
    const allowed = side === 'theirs' ? { args: ['--allow-private-ips'] } : { env: { LONGHAUL_FETCH_ALLOW_PRIVATE: '1' } };
    return { ...allowed, place: web.url, end: () => web.close() };
  },
  probes: PROBES,
  meantDifferences: MEANT_DIFFERENCES,
});
