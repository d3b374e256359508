// `npm run upstreams [-- <name>… | --smoke]`: puts MCP servers that other people wrote behind a proxy of two gateways and a worker, and
// compares what clients of both protocol versions get with what they get from the server itself. A slow call of two of them goes on while
// gateways and workers are killed. The last line is `N passed, N failed`, by check. All processes that it starts end with it.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { requireNode } from '../apps/cli/bin/node-version.mjs';
import { PEERS } from '../test/peers/catalogue.ts';
import { installPeers } from '../test/peers/installs.ts';
import { findPython, installPython, NO_PYTHON } from '../test/support/python-environment.ts';
import { UPSTREAMS } from '../test/upstreams/catalogue.ts';
import { STOP_GRACE_MS, startLonghaulServer, untilStopped } from './longhaul-server.mjs';
import { reportCounts } from './report-counts.mjs';
import { root } from './root.mjs';
import { build } from './tools.mjs';

/** @typedef {import('../test/upstreams/catalogue.ts').Upstream} Upstream */
/** @typedef {import('../test/upstreams/catalogue.ts').Places} Places */
/** @typedef {import('../apps/cli/dist/testing.js').Cleanup} Cleanup */
/** @typedef {{ readonly command: string, readonly args: readonly string[] }} Command */
/** @typedef {{ readonly url: string } | Command} Entry */

requireNode();

const say = (/** @type {string} */ line) => void process.stdout.write(`${line}\n`);

/**
 * @param {Upstream} upstream
 * @param {Places} places
 * @returns {Command}
 */
function commandOf({ from, program }, places) {
  const [first = '', ...args] = program(places);
  if (from === 'npm') return { command: process.execPath, args: ['--disable-warning=ExperimentalWarning', join(root, first), ...args] };
  const python = from === 'peers' ? installPeers(PEERS).python : installPython(join(root, 'test/clients/python', `${from}.txt`));
  return { command: python, args: first === '-m' ? [first, ...args] : [join(root, first), ...args] };
}

/**
 * @param {Upstream} upstream
 * @param {Places} places
 * @param {Cleanup} cleanup
 * @returns {Promise<Entry>} how it is reached
 */
async function reach(upstream, places, cleanup) {
  const { command, args } = commandOf(upstream, places);
  if (upstream.isHttp !== true) return { command, args };
  const server = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { promise: ended, resolve: end } = Promise.withResolvers();
  server.once('exit', end);
  cleanup.add(async () => {
    const timer = setTimeout(() => server.kill('SIGKILL'), STOP_GRACE_MS);
    server.kill();
    await ended;
    clearTimeout(timer);
  });
  const first = createInterface({ input: server.stdout })[Symbol.asyncIterator]().next();
  const { value: url } = await Promise.race([first, ended.then(() => ({ value: undefined }))]);
  if (url === undefined) throw new Error(`${upstream.name} has ended before it said its URL.`);
  return { url };
}

/**
 * @param {Cleanup} cleanup
 * @returns {Promise<Places>}
 */
async function makePlaces(cleanup) {
  const home = mkdtempSync(join(tmpdir(), 'longhaul-upstreams-'));
  cleanup.add(async () => rmSync(home, { recursive: true, force: true }));
  const [folder, repository] = [join(home, 'files'), join(home, 'repository')];
  for (const each of [folder, repository]) mkdirSync(each);
  writeFileSync(join(repository, 'a.txt'), 'one\n');
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-qm', 'Begin'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: repository, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')} failed: ${stderr}`);
  }
  const web = createServer((_, response) => {
    // The server would read HTML with a program that it installs first.
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end('A page with 🦊.\n'.repeat(20));
  });
  await new Promise((resolve) => void web.listen(0, '127.0.0.1', () => resolve(undefined)));
  cleanup.add(async () => void web.close());
  return { folder, repository, page: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (web.address()).port}/page` };
}

/**
 * @param {string} title
 * @param {readonly import('../test/upstreams/suite.ts').Finding[]} findings
 */
function told(title, findings) {
  for (const { title: what, problem } of findings)
    say(`${problem === undefined ? 'passed' : 'FAILED'}  ${title}  ${what}${problem === undefined ? '' : `\n    ${problem}`}`);
  const failed = findings.filter(({ problem }) => problem !== undefined).length;
  return { passed: findings.length - failed, failed };
}

/**
 * @param {readonly Upstream[]} wanted
 * @param {Cleanup} cleanup
 * @param {AbortSignal} signal
 */
async function runAll(wanted, cleanup, signal) {
  const { compare, connected, GENERATIONS, survive, untilListed } = await import('../test/upstreams/suite.ts');
  const places = await makePlaces(cleanup);
  /** @type {Record<string, Entry>} */
  const mcpServers = {};
  for (const upstream of wanted) {
    const { name, slow } = upstream;
    // What only reads is called within the request first.
    const tools = slow === undefined ? {} : { tools: { [slow.tool]: { task: 'optional' } } };
    mcpServers[name] = { ...(await reach(upstream, places, cleanup)), ...tools };
  }
  const settings = {
    LONGHAUL_FEATURES: '@longhaul/proxy/feature',
    LONGHAUL_SERVERS: JSON.stringify({ mcpServers }),
    LONGHAUL_TOKENS: 'upstreams:of-the-upstreams-suite-0123456789',
  };
  const authorization = { authorization: 'Bearer of-the-upstreams-suite-0123456789' };
  const longhaul = await startLonghaulServer('upstreams', settings, cleanup, signal, authorization);
  const counts = [];
  for (const upstream of wanted)
    for (const generation of GENERATIONS) {
      signal.throwIfAborted();
      // A server that is alone keeps its names.
      const prefix = wanted.length === 1 ? '' : `${upstream.name}__`;
      const entry = /** @type {Entry} */ (mcpServers[upstream.name]);
      const target =
        'url' in entry ? entry.url : () => new StdioClientTransport({ command: entry.command, args: [...entry.args], stderr: 'ignore' });
      const direct = await connected(target);
      const proxied = await connected(longhaul.proxy.url, generation);
      const kill = async () => void (await Promise.all([longhaul.replaceGateways(), longhaul.replaceWorker()]));
      try {
        await untilListed({ prefix, direct, proxied });
        const findings = await compare({ upstream, prefix, places, direct, proxied });
        if (upstream.slow !== undefined) findings.push(await survive({ upstream, prefix, places, proxied }, kill));
        counts.push(told(`${upstream.name} ${generation}`, findings));
      } finally {
        await Promise.all([direct.close(), proxied.close()]);
      }
    }
  return counts;
}

/** @param {string[]} args */
async function upstreams(args) {
  const { values, positionals } = parseArgs({ args, options: { smoke: { type: 'boolean', default: false } }, allowPositionals: true });
  const unknown = positionals.find((name) => !UPSTREAMS.some((upstream) => upstream.name === name));
  if (unknown !== undefined)
    throw new Error(`There is no server "${unknown}". Say one of: ${UPSTREAMS.map(({ name }) => name).join(', ')}.`);
  const wanted = UPSTREAMS.filter(({ name, isSmoke }) => (positionals.length > 0 ? positionals.includes(name) : !values.smoke || isSmoke));
  if (wanted.some(({ from }) => from !== 'npm') && findPython() === undefined) throw new Error(`${NO_PYTHON}.`);
  if (!(await build())) throw new Error('it does not compile');
  return untilStopped((cleanup, signal) => runAll(wanted, cleanup, signal));
}

await reportCounts(() => upstreams(process.argv.slice(2)));
