/**
 * Measures the cost of tools that call tools: the CPU time of a called task, with its share of the task that has called it, compared with
 * a task that a client starts itself. Fan-outs of 100 and 1,000 and a sequence of 200 are measured, in turn with plain tasks, on a Redis
 * and on a data file. On Redis the commands of each are counted as well, by `MONITOR`.
 */
import { Redis } from 'ioredis';
import { McpClient } from './clients/mcp-client.js';
import { type Cpu, cpuSince, type Metered, readCpu, totalOf } from './measure/cpu.js';
import { load } from './measure/load.js';
import { readOptions } from './options.js';
import { machine } from './report.js';
import { startLonghaul, startLonghaulOnFile, type Subject } from './subjects/subjects.js';
import { fileURLToPath } from 'node:url';

const values = readOptions({ rounds: 5, beside: undefined });
const ROUNDS = values.rounds;
const AT_ONCE = 32;
/** Plain tasks of a round. */
const TASKS = 1_000;
const root = fileURLToPath(new URL('../..', import.meta.url));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** What is measured: the tool that the client calls, and how often. */
interface Kind {
  readonly name: string;
  /** Tasks of `noop` in one call. */
  readonly children: number;
  readonly tool: 'noop' | 'fan-out' | 'sequence';
  readonly calls: number;
}

const PLAIN: Kind = { name: 'a task', children: 1, tool: 'noop', calls: TASKS };
const KINDS: readonly Kind[] = [
  PLAIN,
  { name: 'a child of a fan-out of 100', children: 100, tool: 'fan-out', calls: 10 },
  { name: 'a child of a fan-out of 1,000', children: 1_000, tool: 'fan-out', calls: 1 },
  { name: 'a child of a sequence of 200', children: 200, tool: 'sequence', calls: 5 },
];

/** Runs it. @returns how many tasks of `noop` have ended */
async function run(client: McpClient, { tool, children, calls }: Kind): Promise<number> {
  const { count } = await load({ count: calls, concurrency: tool === 'noop' ? AT_ONCE : 1 }, async () => {
    const args = tool === 'noop' ? {} : { count: children };
    const { task } = await client.call('tools/call', { name: tool, arguments: args, task: { ttl: 600_000 } });
    const text = await client.resultOf((task as { taskId: string }).taskId);
    if (text !== 'done') throw new Error(`${tool}: ${text}`);
  });
  return count * children;
}

function meteredOf({ redis, children }: Subject): Metered {
  return { ...(redis !== undefined && { redis }), ...children };
}

/** Counts the commands that clients send while `work` runs. */
async function commandsDuring(url: string, work: () => Promise<number>): Promise<number> {
  const redis = new Redis(url);
  const monitor = await redis.monitor();
  let commands = 0;
  monitor.on('monitor', (_time: string, _command: readonly string[], source: string) => (commands += source === 'lua' ? 0 : 1));
  const count = await work();
  monitor.disconnect();
  redis.disconnect();
  return commands / count;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

async function measure(name: string, subject: Subject): Promise<void> {
  const client = await McpClient.connect(subject.url, AT_ONCE);
  const costs = new Map<Kind, Cpu[]>(KINDS.map((kind) => [kind, []]));
  const seconds = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
  try {
    for (let round = 0; round <= ROUNDS; round++)
      for (const [kind, kept] of costs) {
        const before = await readCpu(meteredOf(subject));
        const startedAt = performance.now();
        const cost = await cpuSince(before, meteredOf(subject), await run(client, kind));
        // The first round warms up.
        if (round === 0) continue;
        kept.push(cost);
        seconds.get(kind)?.push((performance.now() - startedAt) / 1_000 / kind.calls);
      }
    say(`\n| On ${name} | CPU of one | As a task | Commands | The call takes |\n|---|---|---|---|---|`);
    const plain = costs.get(PLAIN)?.map(totalOf) ?? [];
    for (const [kind, kept] of costs) {
      const ratio = median(kept.map((cost, round) => totalOf(cost) / (plain[round] ?? Number.NaN)));
      const commands = subject.redis === undefined ? '' : (await commandsDuring(subject.redis.url, () => run(client, kind))).toFixed(1);
      const micros = median(kept.map(totalOf)).toFixed(0);
      say(`| ${kind.name} | ${micros} µs | ${ratio.toFixed(2)} | ${commands} | ${median(seconds.get(kind) ?? []).toFixed(2)} s |`);
    }
  } finally {
    client.close();
    await subject.stop();
  }
}

say(`${machine()}; ${ROUNDS} rounds`);
await measure('Redis', await startLonghaul(values.beside ?? root));
if (values.beside === undefined) await measure('a data file', await startLonghaulOnFile(root));
