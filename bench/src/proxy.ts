/**
 * Measures calls through the proxy, compared with the server's own answers in the same run: what the gateway adds within a request, and what
 * a task adds, beside a task of a tool of our own. `--fastmcp PYTHON` names a Python that has FastMCP, and `--mcp-use FOLDER` a folder in which
 * mcp-use is installed: their proxies are measured too.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { McpClient } from './clients/mcp-client.js';
import { freePort } from './free-port.js';
import { type Cpu, cpuSince, type Metered, readCpu } from './measure/cpu.js';
import { load } from './measure/load.js';
import { type Child, startChild } from './measure/processes.js';
import { readOptions } from './options.js';
import { machine } from './report.js';
import { startApp, startWith, type Subject } from './subjects/subjects.js';

const values = readOptions({ rounds: 5, ms: 2_000, concurrency: 16, fastmcp: undefined, 'mcp-use': undefined });
const root = fileURLToPath(new URL('../..', import.meta.url));
const MESSAGE = { message: 'hello' };
/** The unit of `/proc/<pid>/stat`. */
const TICK_MICROS = 10_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface Row {
  readonly name: string;
  readonly processes: Metered;
  readonly call: () => Promise<unknown>;
}

interface Measured {
  readonly cpu: Cpu;
  readonly p50Ms: number;
  readonly aloneMs: number;
}

/** The proxy of another product, as a process that is metered from outside. */
interface Other {
  readonly name: string;
  /** What it calls the server's tool. */
  readonly tool: string;
  readonly child: ChildProcess;
  readonly url: string;
  readonly metered: Metered;
}

/** @param args the arguments of the command before the URL of the server and the port */
async function startOther(name: string, tool: string, command: string, args: readonly string[], serverUrl: string): Promise<Other> {
  const port = await freePort();
  const child = spawn(command, [...args, serverUrl, String(port)], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}/mcp`;
  for (let tries = 0; ; tries++) {
    const answers = await fetch(url, { method: 'DELETE' }).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (tries > 300 || child.exitCode !== null) throw new Error(`The proxy of ${name} does not start.`);
    await wait(100);
  }
  const cpu = async (): Promise<number> => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
  };
  return { name, tool, child, url, metered: { [name]: { cpu } } };
}

function subject(file: string): string {
  return fileURLToPath(new URL(`../src/subjects/${file}`, import.meta.url));
}

/** A call of a tool that has to succeed. */
function called(client: McpClient, name: string, args: object): () => Promise<unknown> {
  return async () => {
    const result = await client.call('tools/call', { name, arguments: args });
    if (result['isError'] === true) throw new Error(`${name}: ${JSON.stringify(result)}`);
  };
}

async function measure({ processes, call }: Row): Promise<Measured> {
  await load({ concurrency: values.concurrency, ms: values.ms / 2 }, async () => void (await call()));
  const before = await readCpu(processes);
  const { count, p50Ms } = await load({ concurrency: values.concurrency, ms: values.ms }, async () => void (await call()));
  const cpu = await cpuSince(before, processes, count);
  const alone = await load({ concurrency: 1, ms: values.ms / 2 }, async () => void (await call()));
  return { cpu, p50Ms, aloneMs: alone.p50Ms };
}

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

function report(rows: readonly Row[], rounds: readonly ReadonlyMap<string, Measured>[]): void {
  const own = (round: ReadonlyMap<string, Measured>): number => round.get(rows[0]?.name ?? '')?.cpu['server'] ?? Number.NaN;
  say(
    `| A call of a tool | CPU of each process, µs | CPU without the server / the server's own answer | ${values.concurrency} at once, p50 ms | one at a time, p50 ms |`,
  );
  say('| --- | --- | --- | --- | --- |');
  for (const { name, processes } of rows) {
    const of = rounds.flatMap((round) => round.get(name) ?? []);
    const parts = Object.keys(processes).map((process) => `${process} ${median(of.map(({ cpu }) => cpu[process] ?? 0)).toFixed(0)}`);
    const ratios = rounds.map((round) => {
      const cpu = Object.entries(round.get(name)?.cpu ?? {}).filter(([process]) => process !== 'server');
      return cpu.reduce((sum, [, micros]) => sum + micros, 0) / own(round);
    });
    const [p50, alone] = [median(of.map(({ p50Ms }) => p50Ms)), median(of.map(({ aloneMs }) => aloneMs))];
    say(`| ${name} | ${parts.join(', ')} | ${median(ratios).toFixed(2)} | ${p50.toFixed(1)} | ${alone.toFixed(1)} |`);
  }
}

async function run(server: Child, url: string, longhaul: Subject, others: readonly Row[]): Promise<void> {
  const { gateway, worker } = longhaul.children;
  const { redis } = longhaul;
  if (gateway === undefined || worker === undefined || redis === undefined)
    throw new Error('Longhaul has a gateway, a worker and a Redis.');
  const concurrency = values.concurrency;
  const [direct, proxied] = [await McpClient.connect(url, concurrency), await McpClient.connect(longhaul.url, concurrency)];
  const rows: readonly Row[] = [
    { name: 'of the server itself', processes: { server }, call: called(direct, 'answer', MESSAGE) },
    { name: 'that only reads, through the proxy', processes: { gateway, redis, server }, call: called(proxied, 'plain__answer', MESSAGE) },
    {
      name: 'that writes, through the proxy',
      processes: { gateway, worker, redis, server },
      call: called(proxied, 'plain__write', MESSAGE),
    },
    { name: 'of our own, as a task', processes: { gateway, worker, redis }, call: called(proxied, 'noop', {}) },
    ...others,
  ];
  const rounds: Map<string, Measured>[] = [];
  for (let round = 1; round <= values.rounds; round++) {
    const measured = new Map<string, Measured>();
    for (const row of rows) measured.set(row.name, await measure(row));
    process.stderr.write(`round ${round}\n`);
    rounds.push(measured);
  }
  say(`${machine()}; ${values.rounds} rounds of ${values.ms} ms a row\n`);
  report(rows, rounds);
  for (const client of [direct, proxied]) client.close();
}

const server = await startChild(fileURLToPath(new URL('./subjects/plain-server.js', import.meta.url)), {});
const url = String(server.ready['url']);
const settings = {
  LONGHAUL_FEATURES: [`${root}/bench/dist/subjects/features.js`, '@longhaul/proxy/feature'].join(','),
  LONGHAUL_SERVERS: JSON.stringify({ mcpServers: { plain: { url, maxRunning: 1_000 } } }),
};
const longhaul = await startWith(async (REDIS_URL) => ({
  worker: await startApp(root, 'worker', { REDIS_URL }, settings),
  gateway: await startApp(root, 'gateway', { REDIS_URL }, settings),
}));
const { fastmcp: python, 'mcp-use': folder } = values;
const others: Other[] = [];
try {
  if (python !== undefined) others.push(await startOther('FastMCP', 'answer', python, [subject('fastmcp-proxy.py')], url));
  if (folder !== undefined)
    others.push(await startOther('mcp-use', 'plain_answer', process.execPath, [subject('mcp-use-proxy.mjs'), folder], url));
  const rows: Row[] = [];
  for (const { name, tool, url: own, metered } of others) {
    const client = await McpClient.connect(own, values.concurrency);
    rows.push({ name: `through the proxy of ${name}`, processes: { ...metered, server }, call: called(client, tool, MESSAGE) });
  }
  await run(server, url, longhaul, rows);
} finally {
  await longhaul.stop();
  await server.stop();
  for (const { child } of others) if (child.kill()) await once(child, 'exit');
}
