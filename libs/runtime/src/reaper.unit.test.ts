import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { alive, familyOf } from '../../../test/cli/support/launcher.js';
import { waitUntil } from '../../../test/support/wait-until.js';

/** Ignores every request to end, and does not read its input. It prints a line when it has started. */
const STUBBORN = `for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => {}); setInterval(() => {}, 1000); console.log('runs');`;
/** Starts a stubborn process in a session of its own, and is stubborn itself. */
const STRAYING = `const { spawn } = require('node:child_process');
  const stray = spawn(process.execPath, ['-e', process.env.STUBBORN], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => {});
  stray.stdout.once('data', () => console.log('runs'));`;
/** Starts a stubborn process in a session of its own, and leaves it without a parent. */
const DAEMON = `const daemon = require('node:child_process').spawn(process.execPath, ['-e', process.env.STUBBORN], { detached: true, stdio: 'ignore' });
  daemon.unref();
  console.log(daemon.pid);`;
/** A shell that waits for the process that it started, as npx does. */
const CHAIN = `'${process.execPath}' -e "$STUBBORN"; exit $?`;

/** Starts a chain as a group, a process of this group, and a group that has been released, and then the given number of reapers. */
const PARENT = `
  import { spawn, spawnSync } from 'node:child_process';
  import { once } from 'node:events';
  import { endChildWithThisProcess, endWithThisProcess, newMark, STARTED_BY } from ${JSON.stringify(new URL('reaper.ts', import.meta.url).href)};
  const env = { ...process.env, STUBBORN: ${JSON.stringify(STUBBORN)} };
  const stdio = ['pipe', 'pipe', 'inherit'];
  const chain = () => spawn('/bin/sh', ['-c', ${JSON.stringify(CHAIN)}], { stdio, env, detached: true });
  const [group, single, released] = [chain(), spawn(process.execPath, ['-e', ${JSON.stringify(STRAYING)}], { stdio, env }), chain()];
  endWithThisProcess(-group.pid);
  endChildWithThisProcess(single);
  endWithThisProcess(-released.pid)();
  await Promise.all([group, single, released].map((child) => once(child.stdout, 'data')));
  const between = spawnSync(process.execPath, ['-e', ${JSON.stringify(DAEMON)}], { env: { ...env, [STARTED_BY]: newMark() }, stdio: ['ignore', 'pipe', 'inherit'] });
  console.log(JSON.stringify([...[group, single, released].map(({ pid }) => pid), Number(between.stdout)]));
  process.stdin.on('data', () => {
    const later = spawn(process.execPath, ['-e', env.STUBBORN], { stdio });
    endChildWithThisProcess(later);
    later.stdout.once('data', () => console.log(JSON.stringify([later.pid])));
  });`;

const started: number[] = [];
let parent: ChildProcess;

async function pids(): Promise<number[]> {
  const [line] = (await once(parent.stdout ?? parent, 'data')) as [Buffer];
  const read = JSON.parse(line.toString()) as number[];
  started.push(...read.flatMap((pid) => familyOf(pid)));
  return read;
}

function start(): Promise<number[]> {
  parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT], { stdio: ['pipe', 'pipe', 'inherit'] });
  return pids();
}

/** The process that ends the others: the only one that the parent has started besides them. */
function reaperOf({ pid = 0 }: ChildProcess): number | undefined {
  return alive(familyOf(pid)).find((found) => found !== pid && !started.includes(found));
}

afterEach(() => {
  parent.kill('SIGKILL');
  for (const pid of alive(started.splice(0))) process.kill(pid, 'SIGKILL');
});

describe('processes that are to end with this one', () => {
  it('end with it when it is killed, with all of their group and what they have started in sessions of their own, though they ignore the end of input and SIGTERM; daemons end too, and those that were released go on', async () => {
    const [group = 0, single = 0, released = 0, daemon = 0] = await start();
    const bound = [...familyOf(group), ...familyOf(single), daemon];
    const others = familyOf(released);
    expect(alive([...bound, ...others])).toHaveLength(7);
    parent.kill('SIGKILL');
    await waitUntil(() => alive(bound).length === 0, { description: 'all that were bound have ended' });
    expect(alive(others)).toEqual(others);
  });

  it('end with it also when what ends them has been killed, since that is replaced', async () => {
    const [group = 0, single = 0] = await start();
    const reaper = reaperOf(parent) ?? 0;
    process.kill(reaper, 'SIGKILL');
    // A process that is started at any moment of the replacement is bound too.
    parent.stdin?.write('\n');
    const [later = 0] = await pids();
    await waitUntil(() => ![undefined, reaper].includes(reaperOf(parent)), { description: 'another reaper runs' });
    parent.kill('SIGKILL');
    await waitUntil(() => alive([group, single, later]).length === 0, { description: 'all that were bound have ended' });
  });

  it('do not keep it from ending', async () => {
    const [group = 0, single = 0, released = 0] = await start();
    for (const target of [-group, single, -released]) process.kill(target, 'SIGKILL');
    parent.stdin?.end();
    expect(await once(parent, 'exit')).toEqual([0, null]);
  });
});
