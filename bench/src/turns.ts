/** Measures how long a task of one client waits while another client has many that each hold a slot for 2 s. */
import { fileURLToPath } from 'node:url';
import { McpClient } from './clients/mcp-client.js';
import { readOptions } from './options.js';
import { machine } from './report.js';
import { startLonghaul } from './subjects/subjects.js';

readOptions({});

const MANY = 800;
const PASS_MS = 2_000;
/** While these run, one after the other, the other client's tasks wait in the queue. */
const TRIES = 5;

const longhaul = await startLonghaul(fileURLToPath(new URL('../..', import.meta.url)));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function noopMs(client: McpClient): Promise<number> {
  const startedAt = performance.now();
  await client.resultOf(await client.createTask('noop'));
  return performance.now() - startedAt;
}

try {
  const [many, one] = [await McpClient.connect(longhaul.url, 32), await McpClient.connect(longhaul.url, 1)];
  await noopMs(one); // Warms up.
  const alone = await noopMs(one);
  const startedAt = performance.now();
  const taskIds = await Promise.all(Array.from({ length: MANY }, () => many.createTask('busy')));
  const waits: number[] = [];
  for (let count = 0; count < TRIES; count++) waits.push(await noopMs(one));
  for (const taskId of taskIds) await many.resultOf(taskId);
  const seconds = (performance.now() - startedAt) / 1000;
  say(`${machine()}; one worker of 50 slots\n`);
  say(`| | |\n| --- | --- |`);
  say(`| a task that does nothing, alone | ${alone.toFixed(0)} ms |`);
  const each = waits.map((ms) => ms.toFixed(0)).join(', ');
  say(`| the same behind ${MANY} tasks of another client that take ${PASS_MS / 1000} s each, ${TRIES} in turn | ${each} ms |`);
  say(`| all of those, ${(MANY * PASS_MS) / 1000 / 50} s at best | ${seconds.toFixed(1)} s |`);
  for (const client of [many, one]) client.close();
} finally {
  await longhaul.stop();
}
