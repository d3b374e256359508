/**
 * Measures how long a tool's author waits: from `longhaul start` in an empty folder to the first answer of its endpoint, and with `--watch`
 * from the change of a file until it is served.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { McpClient } from './clients/mcp-client.js';
import { readOptions } from './options.js';
import { machine, resultOf } from './report.js';

const values = readOptions({ times: 9 });
const TIMES = values.times;
const LAUNCHER = fileURLToPath(new URL('../../bin/longhaul.mjs', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** A started command, and the lines that it prints. */
interface Started {
  readonly child: ChildProcess;
  /** The next matching line. */
  line(text: RegExp): Promise<RegExpExecArray>;
  stop(): Promise<void>;
}

function start(folder: string, args: readonly string[]): Started {
  const { REDIS_URL: _, ...env } = process.env;
  const child = spawn(process.execPath, [LAUNCHER, 'start', ...args], {
    cwd: folder,
    env: { ...env, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`longhaul start ended with ${String(code)}: ${said.join(' ')}`);
  });
  ended.catch(() => undefined); // A waiter for a line receives the error.
  const awaited = new Set<{ readonly text: RegExp; readonly found: (match: RegExpExecArray) => void }>();
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => {
      said.push(line);
      for (const one of awaited) {
        const match = one.text.exec(line);
        if (match !== null && awaited.delete(one)) one.found(match);
      }
    });
  return {
    child,
    line: (text) => Promise.race([new Promise<RegExpExecArray>((found) => awaited.add({ text, found })), ended]),
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Works in a new folder, in which our packages are installed. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'longhaul-bench-'));
  try {
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds until a session is open. */
const startMs = (): Promise<number> =>
  inFolder(async (folder) => {
    const startedAt = performance.now();
    const started = start(folder, []);
    try {
      const [, url = ''] = await started.line(/Endpoint\s+(\S+)/);
      (await McpClient.connect(url, 1)).close();
      return performance.now() - startedAt;
    } finally {
      await started.stop();
    }
  });

const toolThatSays = (word: string): string => `
  import { defineTool } from '@longhaul/mcp-features';
  import { z } from 'zod';
  export const features = [defineTool({ name: 'say', description: 'Says it.', input: z.object({}), run: () => '${word}' })];`;

/** Milliseconds until each of some changes is served, as the command prints them. */
const reloadsMs = (): Promise<readonly number[]> =>
  inFolder(async (folder) => {
    const file = join(folder, 'tools.ts');
    writeFileSync(file, toolThatSays('nothing yet'));
    const started = start(folder, ['--watch', './tools.ts']);
    try {
      await started.line(/Endpoint\s+(\S+)/);
      const times: number[] = [];
      for (let change = 0; change < TIMES; change++) {
        const reloaded = started.line(/reloaded in (\d+) ms/);
        writeFileSync(file, toolThatSays(`change ${change}`));
        times.push(Number((await reloaded)[1]));
      }
      return times;
    } finally {
      await started.stop();
    }
  });

const starts: number[] = [];
// The first start compiles the code, and the others find it compiled.
await startMs();
for (let time = 0; time < TIMES; time++) starts.push(await startMs());
const reloads = await reloadsMs();
say(`${machine()}; ${TIMES} times each\n`);
say('| | median | between |\n| --- | --- | --- |');
for (const [name, times] of [
  ['from `longhaul start` to the first answer, on a data file', starts],
  ['from the change of a tool to its being served, `--watch`', reloads],
] as const) {
  const { median, least, most } = resultOf(times);
  say(`| ${name} | ${median.toFixed(0)} ms | ${least.toFixed(0)} to ${most.toFixed(0)} ms |`);
}
