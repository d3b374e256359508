import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Cpu, cpuSince, type Metered, readCpu, totalOf } from './cpu.js';
import { load as runLoad, type Load, type LoadResult } from './load.js';
import { McpClient } from './mcp-client.js';
import type { Running } from './processes.js';
import { seedTasks } from './seed-tasks.js';

/** A load and the CPU that each process spent on one operation, microseconds. */
export interface Measurement extends LoadResult {
  readonly cpu: Cpu;
}

/** Raw BullMQ: one job is added and processed, and its producer is notified. */
export async function measureRaw(
  processes: { redis: Running; producer: Running & { child: ChildProcess }; worker: Running },
  load: Load,
  runs: number,
): Promise<Measurement> {
  const { child } = processes.producer;
  return median(processes, runs, load, async (part) => {
    child.send({ type: 'run', ...part });
    for (;;) {
      const [said] = (await once(child, 'message')) as [{ type: string; result: LoadResult }];
      if (said.type === 'result') return said.result;
    }
  });
}

/** Ours: a task is created and its result fetched. */
export async function measureLonghaul(
  processes: { redis: Running; gateway: Running; worker: Running },
  url: string,
  load: Load,
  runs: number,
): Promise<Measurement> {
  const client = await McpClient.connect(url, load.concurrency);
  const measured = await median(processes, runs, load, (part) =>
    runLoad(part, async () => {
      await client.resultOf(await client.createTask('noop'));
    }),
  );
  client.close();
  return measured;
}

/** `tasks/get` of an ended task. */
export async function measureGet(
  processes: { redis: Running; gateway: Running },
  url: string,
  load: Load,
  runs: number,
): Promise<Measurement> {
  const client = await McpClient.connect(url, load.concurrency);
  const taskId = await client.createTask('noop');
  await client.resultOf(taskId);
  const measured = await median(processes, runs, load, (part) =>
    runLoad(part, async () => {
      await client.call('tasks/get', { taskId });
    }),
  );
  client.close();
  return measured;
}

/** The first page of `tasks/list` of an owner with `count` tasks. */
export async function measureList(
  processes: { redis: Running & { url: string }; gateway: Running },
  url: string,
  load: Load,
  runs: number,
  count: number,
): Promise<Measurement> {
  const client = await McpClient.connect(url, load.concurrency);
  await seedTasks(processes.redis.url, client.owner, count);
  const measured = await median(processes, runs, load, (part) =>
    runLoad(part, async () => {
      await client.call('tasks/list', {});
    }),
  );
  client.close();
  return measured;
}

/** From the tool's return to the result's arrival, for one task of 50 ms at a time. */
export async function measureLag(url: string, count = 200): Promise<LoadResult> {
  const client = await McpClient.connect(url, 4);
  const result = await runLoad({ count, concurrency: 1 }, async () => {
    const returnedAt = Number(await client.resultOf(await client.createTask('timed')));
    return performance.timeOrigin + performance.now() - returnedAt;
  });
  client.close();
  return result;
}

/** Warms up, measures `runs` times, and keeps the run whose total CPU is the median. */
export async function median(processes: Metered, runs: number, load: Load, run: (load: Load) => Promise<LoadResult>): Promise<Measurement> {
  await run({ ...load, count: Math.ceil(load.count / 2) });
  const measured: Measurement[] = [];
  for (let done = 0; done < runs; done++) {
    const before = await readCpu(processes);
    const result = await run(load);
    measured.push({ ...result, cpu: await cpuSince(before, processes, load.count) });
  }
  measured.sort((a, b) => totalOf(a.cpu) - totalOf(b.cpu));
  const middle = measured[Math.floor(measured.length / 2)];
  if (middle === undefined) throw new Error('At least one run is needed.');
  return middle;
}
