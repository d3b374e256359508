/** Measures whether the resident memory of a gateway and a worker stays constant while both work without a pause. */
import { fileURLToPath } from 'node:url';
import { McpClient } from './clients/mcp-client.js';
import { load } from './measure/load.js';
import { readOptions } from './options.js';
import { machine } from './report.js';
import { startLonghaul } from './subjects/subjects.js';

const values = readOptions({ minutes: 10 });
const MINUTES = values.minutes;
const AT_ONCE = 32;
const MINUTE_MS = 60_000;
const MIB = 1024 * 1024;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const longhaul = await startLonghaul(fileURLToPath(new URL('../..', import.meta.url)));
const client = await McpClient.connect(longhaul.url, AT_ONCE);
try {
  say(`${machine()}; tasks that do nothing, ${AT_ONCE} at once\n`);
  say('| minute | tasks | gateway | worker |\n| --- | --- | --- | --- |');
  for (let minute = 1; minute <= MINUTES; minute++) {
    const { count } = await load({ ms: MINUTE_MS, concurrency: AT_ONCE }, async () => {
      await client.resultOf(await client.createTask('noop'));
    });
    const of = (name: string): string => `${((longhaul.children[name]?.residentBytes() ?? 0) / MIB).toFixed(0)} MiB`;
    say(`| ${minute} | ${count.toLocaleString('en')} | ${of('gateway')} | ${of('worker')} |`);
  }
} finally {
  client.close();
  await longhaul.stop();
}
