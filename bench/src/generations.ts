/**
 * Measures revision 2026-07-28 beside 2025-11-25 on the same processes in the same run: a call within the request, to
 * create a task, to ask for it, from its creation to its result, and how late the result comes. `tasks/get` is also measured beside a
 * bare route through the SDK's handler.
 */
import { cpus } from 'node:os';
import { partsOf, totalOf } from './cpu.js';
import { load as runLoad, type Load, type LoadResult } from './load.js';
import { McpClient } from './mcp-client.js';
import { type Measurement, median } from './measurements.js';
import { ModernClient } from './modern-client.js';
import type { Running } from './processes.js';

/** What a run works with. */
export interface GenerationsBench {
  readonly redis: Running;
  readonly gateway: Running;
  readonly worker: Running;
  readonly bare: Running;
  readonly url: string;
  readonly bareUrl: string;
}

const LAG_TASKS = 200;
const ECHO = { name: 'answer', arguments: { message: 'hello' } };

/** Measures and prints. The two revisions take turns, so that both meet the same noise. */
export async function benchGenerations(
  { redis, gateway, worker, bare, url, bareUrl }: GenerationsBench,
  load: Load,
  runs: number,
): Promise<void> {
  const old = await McpClient.connect(url, load.concurrency);
  const modern = new ModernClient(url, load.concurrency);
  const bareClient = new ModernClient(bareUrl, load.concurrency);
  const serving = { redis, gateway };
  const all = { redis, gateway, worker };
  const measure = (processes: Readonly<Record<string, Running>>, operation: () => Promise<unknown>): Promise<Measurement> =>
    median(processes, runs, load, (part) => runLoad(part, async () => void (await operation())));

  const modernTask = await modern.createTask('noop');
  await modern.endOf(modernTask);
  const bareGet = await measure({ redis, bare }, () => bareClient.call('tasks/get', { taskId: 'bare' }));
  const modernGet = await measure(serving, () => modern.call('tasks/get', { taskId: modernTask }));
  // Made only now: its client wants it kept for a minute.
  const oldTask = await old.createTask('noop');
  await old.resultOf(oldTask);
  const oldGet = await measure(serving, () => old.call('tasks/get', { taskId: oldTask }));
  const rows: [string, Measurement, Measurement][] = [
    ['`tasks/get`', oldGet, modernGet],
    [
      'echo: `tools/call`',
      await measure(serving, () => old.call('tools/call', ECHO)),
      await measure(serving, () => modern.call('tools/call', ECHO)),
    ],
    ['create: `tools/call`', await measure(all, () => old.createTask('noop')), await measure(all, () => modern.createTask('noop'))],
    [
      'end to end: `tools/call` → `tasks/result`, `subscriptions/listen`',
      await measure(all, async () => old.resultOf(await old.createTask('noop'))),
      await measure(all, async () => modern.endOf(await modern.createTask('noop'))),
    ],
  ];
  const oldLag = await lag(async () => old.resultOf(await old.createTask('timed')));
  const modernLag = await lag(async () => modern.endOf(await modern.createTask('timed')));
  for (const client of [old, modern, bareClient]) client.close();

  const lines = [
    `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}; ${load.count} operations, ${load.concurrency} at once, median of ${runs} runs`,
    '',
    '| | 2025-11-25, CPU | 2026-07-28, CPU | ratio |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ([name, before, now]) => `| ${name} | ${costOf(before)} | ${costOf(now)} | ${(totalOf(now.cpu) / totalOf(before.cpu)).toFixed(2)} |`,
    ),
    '',
    `\`tasks/get\` of 2026-07-28 / a bare route with one \`HGETALL\` through the SDK's handler (${costOf(bareGet)}): ${(totalOf(modernGet.cpu) / totalOf(bareGet.cpu)).toFixed(2)}`,
    `Delivery lag of a task of 50 ms, ${LAG_TASKS} one after the other: 2025-11-25 ${timesOf(oldLag)}; 2026-07-28, pushed, ${timesOf(modernLag)}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** From the tool's return to the result's arrival, for one task at a time. */
function lag(resultOfTask: () => Promise<string>): Promise<LoadResult> {
  return runLoad({ count: LAG_TASKS, concurrency: 1 }, async () => {
    const returnedAt = Number(await resultOfTask());
    return performance.timeOrigin + performance.now() - returnedAt;
  });
}

function costOf({ cpu }: Measurement): string {
  return `${totalOf(cpu).toFixed(0)} µs (${partsOf(cpu)})`;
}

function timesOf({ p50Ms, p99Ms }: LoadResult): string {
  return `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
}
