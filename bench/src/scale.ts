/**
 * Measures how Longhaul scales: tasks over 1, 2 and 4 workers and gateways, tasks that wait, and idle standalone streams. On a machine with
 * few cores the rates of several processes say little; but the CPU time of each kind of process for a task shows how many processes a rate
 * needs (docs/internals/scaling.md).
 */
import { McpClient } from './clients/mcp-client.js';
import { cpuPerIdleSecond, type Deployment, heapOf, listen, processesOf, startDeployment, urlOf } from './deployment.js';
import { cpuSince, partsOf, readCpu, totalOf } from './measure/cpu.js';
import { load } from './measure/load.js';
import { readOptions } from './options.js';
import { machine } from './report.js';

const values = readOptions({ ms: 5_000, tasks: 100_000, streams: 10_000 });
const MS = values.ms;
const TASKS = values.tasks;
const STREAMS = values.streams;
const PROCESSES = [1, 2, 4];
const AT_ONCE = 64;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function during<T>(count: { readonly workers: number; readonly gateways: number }, work: (of: Deployment) => Promise<T>): Promise<T> {
  const deployment = await startDeployment(count);
  try {
    return await work(deployment);
  } finally {
    await deployment.stop();
  }
}

/** One client for each gateway; they share the load. */
function clientsOf({ gateways }: Deployment, capabilities: object = {}): Promise<McpClient[]> {
  return Promise.all(gateways.map((gateway) => McpClient.connect(urlOf(gateway), AT_ONCE, capabilities)));
}

/** Tasks that do nothing, from `tools/call` to the result. */
async function tasks(count: number): Promise<void> {
  await during({ workers: count, gateways: count }, async (deployment) => {
    const clients = await clientsOf(deployment);
    const processes = processesOf(deployment);
    let next = 0;
    const run = (ms: number) =>
      load({ ms, concurrency: AT_ONCE }, async () => {
        const client = clients[(next += 1) % clients.length];
        await client?.resultOf((await client?.createTask('noop')) ?? '');
      });
    await run(MS / 4);
    const [before, began] = [await readCpu(processes), next];
    const { perSecond } = await run(MS);
    const used = await cpuSince(before, processes, next - began);
    const of = (name: string): string => `${(1e6 / (used[name] ?? 0)).toFixed(0)} | `;
    const each = of('redis') + of('gateways') + of('workers');
    say(`| ${count} and ${count} | ${perSecond.toFixed(0)} | ${totalOf(used).toFixed(0)} µs: ${partsOf(used)} | ${each}`);
    for (const client of clients) client.close();
  });
}

/** Tasks that each wait for an answer of their client. */
async function waiting(): Promise<void> {
  await during({ workers: 1, gateways: 2 }, async (deployment) => {
    const clients = await clientsOf(deployment, { elicitation: {} });
    const { redis } = deployment;
    const isAsked = async (client: McpClient, taskId: string): Promise<boolean> =>
      (await client.call('tasks/get', { taskId }))['status'] === 'input_required';
    const create = async (count: number): Promise<void> => {
      const created: { readonly client: McpClient; readonly taskId: string }[] = [];
      await load({ count, concurrency: AT_ONCE }, async () => {
        const client = clients[created.length % clients.length] as McpClient;
        created.push({ client, taskId: await client.createTask('question') });
      });
      // Jobs of one owner are taken in their order.
      for (const { client, taskId } of created.slice(-AT_ONCE)) while (!(await isAsked(client, taskId)));
    };
    await create(AT_ONCE);
    const [bytes, idle] = [await redis.bytes(), await cpuPerIdleSecond(deployment)];
    await create(TASKS);
    const after = await cpuPerIdleSecond(deployment);
    const each = (await redis.bytes()) - bytes;
    say(
      `| memory of a task that waits for an answer, in Redis, of ${TASKS.toLocaleString('en')} | ${(each / TASKS / 1024).toFixed(2)} KiB |`,
    );
    say(`| CPU per second with nothing to do, without them | ${totalOf(idle).toFixed(0)} µs: ${partsOf(idle)} |`);
    say(`| the same with them | ${totalOf(after).toFixed(0)} µs: ${partsOf(after)} |`);
    for (const client of clients) client.close();
  });
}

async function streams(): Promise<void> {
  await during({ workers: 1, gateways: 2 }, async (deployment) => {
    const bare = await heapOf(deployment.gateways);
    const listening = await listen(deployment.gateways, STREAMS, () => undefined);
    const each = ((await heapOf(deployment.gateways)) - bare) / STREAMS / 1024;
    say(`| memory of an idle standalone stream, in its gateway, ${STREAMS.toLocaleString('en')} on two | ${each.toFixed(1)} KiB |`);
    const idle = await cpuPerIdleSecond(deployment);
    say(`| CPU per second with nothing to do, with them | ${totalOf(idle).toFixed(0)} µs: ${partsOf(idle)} |`);
    for (const { client, stream } of listening) {
      stream.destroy();
      client.close();
    }
  });
}

say(`${machine()}; ${AT_ONCE} tasks at once for ${MS} ms\n`);
say('| workers and gateways | per second | CPU of a task | per second and core: Redis | gateway | worker |');
say('| --- | --- | --- | --- | --- | --- |');
for (const count of PROCESSES) await tasks(count);
say('\n| | |\n| --- | --- |');
await waiting();
await streams();
