/** Runs the program of a client once, and ends all that it has started. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { env, kill } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Assignment } from '../program.ts';
import type { Run, SuiteClient } from './catalogue.ts';
import { judge, type Outcome, type Scenario, SCENARIOS } from './scenarios.ts';

const LIMIT_MS = 420_000;

const logs = fileURLToPath(new URL('../../../node_modules/.cache/clients/logs/', import.meta.url));

/** A running program. */
export interface RunningProgram {
  readonly outcomes: Promise<Outcome[]>;
  /** Ends the program, and what it has started. */
  end(): void;
  /** Kills those of the processes that the program has started whose command line has the text. @throws Error when there is none */
  killWithin(text: string): void;
}

/** Starts the program; what it prints is kept in a file. */
export function runProgram(
  client: SuiteClient,
  run: Run,
  command: readonly [string, ...string[]],
  assignment: Assignment,
  scenarios: Readonly<Record<string, Scenario>> = SCENARIOS,
): RunningProgram {
  mkdirSync(logs, { recursive: true });
  const log = createWriteStream(join(logs, `${client.name}-${run.transport}-${run.protocolVersion}${assignment.long ? '-long' : ''}.log`));
  const [program, ...args] = command;
  const child = spawn(program, [...args, JSON.stringify(assignment)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: env['PATH'], HOME: logs, TMPDIR: env['TMPDIR'] },
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  const end = (): void => endGroup(child.pid);
  const timer = setTimeout(end, LIMIT_MS);
  const ended = once(child, 'exit').then(() => {
    clearTimeout(timer);
    end();
    return judge(output, run, scenarios);
  });
  return { outcomes: ended, end, killWithin: (text) => killWithin(child.pid, text) };
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

function killWithin(root: number | undefined, text: string): void {
  const rows = execFileSync('ps', ['-ww', '-axo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const processes = rows.flatMap((row) => {
    const [, pid, parent, args = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(row) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const family = processes.filter(({ pid }) => pid === root);
  for (const { pid } of family) family.push(...processes.filter(({ parent }) => parent === pid));
  const found = family.filter(({ args }) => args.includes(text));
  if (found.length === 0) throw new Error(`There is no process with ${text}.`);
  for (const { pid } of found) kill(pid, 'SIGKILL');
}
