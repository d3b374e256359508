/**
 * Counts the instructions that Redis takes for a task, script by script: what else runs on the machine does not change them. It records
 * what a gateway and a worker send while they do tasks, and sends the same, one command after the other, to a Redis that runs under
 * Valgrind. The instructions of the kernel are not counted.
 */
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { McpClient } from './clients/mcp-client.js';
import { load, quantile } from './measure/load.js';
import { startRedisUnderValgrind } from './measure/processes.js';
import { record, type Recorded, shaOf } from './measure/recording.js';
import { readOptions } from './options.js';
import { startApp, startWith } from './subjects/subjects.js';

/** What a command, or a script, took each time. */
interface Cost {
  readonly instructions: number[];
  /** How many commands it called, by name; empty if it is no script. */
  readonly calls: Map<string, number>;
}

const { tasks } = readOptions({ tasks: 100 });
/** Before the measured tasks scripts are loaded, and tables grow. */
const WARM_UP = 64;
const CONCURRENCY = 32;
/** Commands of connections, and the one that waits. */
const LEFT_OUT = new Set(['monitor', 'subscribe', 'unsubscribe', 'client', 'info', 'hello', 'auth', 'select', 'quit', 'ping', 'bzpopmin']);
const [BEGIN, END] = ['begin', 'end'];

const costs = await replay(await recorded());
const rows = [...costs].map(([name, { instructions, calls }]) => {
  const called = [...calls].map(([command, count]) => `${command} ${(count / instructions.length).toFixed(1)}`).join(', ');
  // Now and then one pays for a collection of garbage, or for what Redis does once a second.
  const median = quantile(
    instructions.toSorted((a, b) => a - b),
    0.5,
  );
  return { name, called, median, times: instructions.length / tasks };
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say('| | times for a task | instructions, median | calls, each time |\n| --- | --- | --- | --- |');
for (const { name, called, times, median } of rows.toSorted((a, b) => b.times * b.median - a.times * a.median))
  say(`| ${name} | ${times.toFixed(2)} | ${median} | ${called} |`);
say(`\n${rows.reduce((total, { times, median }) => total + times * median, 0).toFixed(0)} instructions for a task.`);

/** What a Redis gets from its start until the tasks have ended. */
async function recorded(): Promise<readonly Recorded[]> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  let stopRecording: () => readonly Recorded[] = () => [];
  const longhaul = await startWith(async (REDIS_URL) => {
    stopRecording = await record(REDIS_URL);
    return { worker: await startApp(root, 'worker', { REDIS_URL }), gateway: await startApp(root, 'gateway', { REDIS_URL }) };
  });
  try {
    const client = await McpClient.connect(longhaul.url, CONCURRENCY);
    const run = (count: number) =>
      load({ count, concurrency: CONCURRENCY }, async () => void (await client.resultOf(await client.createTask('noop'))));
    await run(WARM_UP);
    await longhaul.redis.call('PING', BEGIN);
    await run(tasks);
    await longhaul.redis.call('PING', END);
    client.close();
    return stopRecording();
  } finally {
    await longhaul.stop();
  }
}

/** Sends the same to a Redis under Valgrind. @returns what each took between the two marks */
async function replay(commands: readonly Recorded[]): Promise<ReadonlyMap<string, Cost>> {
  const redis = await startRedisUnderValgrind();
  const client = new Redis(redis.url);
  const costs = new Map<string, Cost>();
  const loaded = new Map<string, string>();
  let known: number | undefined;
  try {
    for (const { name, args, calls } of commands) {
      if (name === 'ping' && args[0] === BEGIN) known = await redis.instructions();
      if (name === 'ping' && args[0] === END) break;
      if (LEFT_OUT.has(name)) continue;
      const [script = ''] = args;
      if (name === 'eval') loaded.set(shaOf(script), `script ${loaded.size + 1}`);
      await client.call(name, ...args.map((argument) => Buffer.from(argument, 'latin1')));
      if (known === undefined) continue;
      const now = await redis.instructions();
      const called = name === 'evalsha' ? (loaded.get(script) ?? script) : name;
      const cost = costs.get(called) ?? { instructions: [], calls: new Map<string, number>() };
      cost.instructions.push(now - known);
      for (const command of calls) cost.calls.set(command, (cost.calls.get(command) ?? 0) + 1);
      costs.set(called, cost);
      known = now;
    }
  } finally {
    client.disconnect();
    await redis.stop();
  }
  return costs;
}
