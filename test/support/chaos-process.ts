/** Runs gateways and workers as processes that a test may kill, stop, and ask for their memory. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { INHERITED_ENV } from './inherited-env.js';
import { readyMessage } from './ready-message.js';

const ORPHAN_GUARD = new URL('../../apps/cli/dist/orphan-guard.js', import.meta.url).href;

/** The options of a process. */
export interface AppOptions {
  readonly app: 'gateway' | 'worker';
  readonly env: Readonly<Record<string, string>>;
  /** The file that gets what it prints. */
  readonly log: string;
  readonly execArgv?: readonly string[];
}

/** A process that has said that it is ready. */
export interface AppProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Address of the endpoint, of a gateway. */
  readonly url: string;
  readonly exited: Promise<unknown>;
}

/** Starts a process. @returns nothing when it ended before it was ready, as it does while Redis is away */
export async function startApp({ app, env, log, execArgv = [] }: AppOptions): Promise<AppProcess | undefined> {
  const main = fileURLToPath(new URL(`../../apps/${app}/dist/main.js`, import.meta.url));
  const output = openSync(log, 'a');
  const child = fork(main, {
    env: { ...INHERITED_ENV, LOG_LEVEL: 'warn', ...env },
    // The guard ends it when the test's own process is gone, however that went.
    execArgv: ['--import', ORPHAN_GUARD, ...execArgv],
    stdio: ['ignore', output, output, 'ipc'],
  });
  closeSync(output);
  const exited = once(child, 'exit');
  const ready = await Promise.race([readyMessage(child), exited.then(() => undefined)]);
  if (ready === undefined || child.pid === undefined) return undefined;
  return { child, pid: child.pid, url: String(ready.url), exited };
}

/** Ends it without a chance to clean up. */
export async function killApp({ child, exited }: AppProcess): Promise<void> {
  child.kill('SIGKILL');
  await exited;
}

const FREEZE = 'kill -STOP "$1"; sleep "$2"; kill -CONT "$1" 2>/dev/null';

/**
 * Stops a process for a time, with a shell that outlives this process: no process stays stopped for ever.
 *
 * @returns a promise that resolves when it continues
 */
export async function freeze({ pid }: Pick<AppProcess, 'pid'>, seconds: number): Promise<void> {
  const shell = spawn('/bin/sh', ['-c', FREEZE, 'longhaul-freeze', String(pid), String(seconds)], { stdio: 'ignore', detached: true });
  await once(shell, 'exit');
}
