import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { newMark, STARTED_BY } from '@longhaul/runtime/reaper';
import { afterEach, describe, expect, it } from 'vitest';
import { alive } from '../../../../test/cli/support/launcher.js';
import { ProcessGroup } from './process-group.js';

const STUBBORN = `for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT']) process.on(name, () => {}); setInterval(() => {}, 1000); console.log('runs');`;

/** Starts a stubborn process in its own session, waits until it runs, and prints both ids. Then it follows its argument. */
const server = (goesOn: string): string => `
  const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.once('data', () => console.log(JSON.stringify([process.pid, child.pid])));
  ${goesOn}`;

const started: number[] = [];
afterEach(() => {
  for (const pid of alive(started.splice(0))) process.kill(pid, 'SIGKILL');
});

describe('the end of a process', () => {
  it.each([
    ['ends with its input', "process.stdin.on('end', () => process.exit()).resume();"],
    ['ignores all but SIGKILL', STUBBORN.replace("console.log('runs');", '')],
  ])('that %s is that of what it has started in another session', async (_, goesOn) => {
    const child = spawn(process.execPath, ['-e', server(goesOn)], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    const group = new ProcessGroup(child, 'nobody');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    started.push(...(JSON.parse(line.toString()) as number[]));
    expect(alive(started)).toHaveLength(2);
    child.stdin.end();
    await group.end();
    expect(alive(started)).toEqual([]);
  });

  it('that leaves a daemon behind, in a session of its own and without a parent, is that of the daemon', async () => {
    const mark = newMark();
    // The process between them has ended when the daemon runs, so nothing leads from the child to it.
    const between = `const daemon = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}], { detached: true, stdio: ['ignore', 1, 'ignore'] });
      console.log(daemon.pid); daemon.unref(); process.exit();`;
    const child = spawn(
      process.execPath,
      [
        '-e',
        `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(between)}], { stdio: ['ignore', 1, 'ignore'] }); process.stdin.resume();`,
      ],
      {
        detached: true,
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, [STARTED_BY]: mark },
      },
    );
    const group = new ProcessGroup(child, mark);
    let said = '';
    for await (const chunk of child.stdout) if ((said += String(chunk)).includes('runs')) break;
    const daemon = Number.parseInt(said, 10);
    started.push(daemon);
    expect(alive([daemon])).toEqual([daemon]);
    child.stdin.end();
    await group.end();
    expect(alive([daemon])).toEqual([]);
  });
});
