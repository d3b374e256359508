/** Starts the built command line as a user would, in a folder of its own, and looks at what it leaves behind. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands, runCli } from 'longhaul/testing';
import { waitUntil } from '../../support/wait-until.js';
import { INHERITED_ENV } from '../../support/inherited-env.js';

/** The command line's entry file. */
export const ENTRY = fileURLToPath(new URL('../../../apps/cli/bin/longhaul.mjs', import.meta.url));

const installed = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** How a process ended, and all that it printed. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `longhaul`. */
export interface Launcher {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the endpoint when it is printed. */
  endpoint(): Promise<URL>;
  signal(name: NodeJS.Signals): void;
  /** To its standard input, if it has one. */
  write(text: string): void;
  endInput(): void;
  /** As a client does that reads no more. */
  closeOutput(): void;
}

interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

/** What a test needs, and what it has to end. */
export class Workplace {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-cli-')));
  readonly #env = { ...INHERITED_ENV, HOME: this.folder, LONGHAUL_DATA_DIR: '.longhaul', LONGHAUL_RESEARCH_STAGE_MS: '0' };
  readonly #launchers: Launcher[] = [];
  readonly #seen = new Set<number>();

  /** Runs `longhaul` with these arguments; the environment has no settings but the given ones. */
  run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Launcher {
    return this.#spawn(process.execPath, [ENTRY, ...args], env);
  }

  /** The same with a standard input. */
  runWithInput(args: readonly string[], env: NodeJS.ProcessEnv = {}): Launcher {
    return this.#spawn(process.execPath, [ENTRY, ...args], env, 'pipe');
  }

  /**
   * Runs a command in the process of the test, in a tenth of the time: for what it says and does, where its process is not the point.
   * What it writes past its terminal, such as the body of an export without a file, is not in what is returned.
   */
  async command(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    let [stdout, stderr] = ['', ''];
    const code = await runCli(args, commands, {
      env: { ...this.#env, ...env },
      cwd: this.folder,
      out: (line) => (stdout += `${line}\n`),
      err: (line) => (stderr += `${line}\n`),
    });
    return { code, stdout, stderr };
  }

  /** Runs `longhaul start` as npm does: in a shell that waits for it. */
  runInShell(env: NodeJS.ProcessEnv): Launcher {
    const script = '"$0" "$1" start; exit $?';
    return this.#spawn('/bin/sh', ['-c', script, process.execPath, ENTRY], { ...env, npm_lifecycle_event: 'start' });
  }

  /** Writes a file into the folder. */
  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  /** Makes packages that modules of features import resolvable from the folder. */
  install(...names: readonly string[]): void {
    for (const name of names) {
      mkdirSync(dirname(join(this.folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(installed, name), join(this.folder, 'node_modules', name));
    }
  }

  #spawn(program: string, args: readonly string[], env: NodeJS.ProcessEnv, stdin: 'ignore' | 'pipe' = 'ignore'): Launcher {
    const child = spawn(program, args, { cwd: this.folder, env: { ...this.#env, ...env }, stdio: [stdin, 'pipe', 'pipe'] });
    const launcher = follow(child);
    this.#launchers.push(launcher);
    return launcher;
  }

  /** All processes that came from this launcher, itself included; remembers them, so that the end of the test can end them. */
  family(launcher: Pick<Launcher, 'pid'>): number[] {
    const family = familyOf(launcher.pid);
    for (const pid of family) this.#seen.add(pid);
    return family;
  }

  /** The process of an app, among those that a launcher has started. */
  appOf(launcher: Pick<Launcher, 'pid'>, app: 'gateway' | 'worker' | 'operator'): number {
    const pid = this.family(launcher).find((entry) => commandLine(entry).includes(`apps/${app}/dist/main.js`));
    if (pid === undefined) throw new Error(`There is no ${app}.`);
    return pid;
  }

  async close(): Promise<void> {
    for (const launcher of this.#launchers) {
      launcher.signal('SIGTERM');
      await launcher.ended;
    }
    for (const pid of alive([...this.#seen])) process.kill(pid, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function follow(child: ChildProcess): Launcher {
  // What is written to a process that has just ended is lost.
  child.stdin?.on('error', () => undefined);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  // The process may be gone before its output has been read; children that outlived it would hold the pipes open.
  const ended = once(child, 'exit').then(async ([code]: unknown[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { code: code as number | null, stdout, stderr };
  });
  return {
    pid: child.pid ?? -1,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    endpoint: async () => {
      const line = await waitUntil(
        () => {
          if (child.exitCode !== null) throw new Error(`longhaul ended with exit code ${child.exitCode}: ${stderr}`);
          return /Endpoint +(\S+)[\s\S]*Ctrl-C/.exec(stdout)?.[1];
        },
        { description: 'the endpoint is printed' },
      );
      return new URL(line);
    },
    signal: (name) => void child.kill(name),
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    closeOutput: () => void child.stdout?.destroy(),
  };
}

function commandLine(pid: number): string {
  try {
    return execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return ''; // It has ended.
  }
}

function processes(): ProcessEntry[] {
  if (process.platform !== 'linux') {
    const rows = execFileSync('ps', ['-axo', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
    return rows
      .map((row) => row.trim().split(/\s+/))
      .map(([pid, parent, state = '']) => ({ pid: Number(pid), parent: Number(parent), state }));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in brackets may contain anything; what counts stands behind the last bracket.
        const [state = '', parent] = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        return [{ pid: Number(name), parent: Number(parent), state }];
      } catch {
        return [];
      }
    });
}

/** Those of the processes that still run; one that has ended and was not yet asked for its exit code does not. */
export function alive(pids: readonly number[]): number[] {
  const running = new Set(
    processes()
      .filter(({ state }) => !state.startsWith('Z'))
      .map(({ pid }) => pid),
  );
  return pids.filter((pid) => running.has(pid));
}

/** A process, the ones that it has started, and what those have started. */
export function familyOf(pid: number): number[] {
  const all = processes();
  const family = [pid];
  for (const parent of family) family.push(...all.filter((entry) => entry.parent === parent).map((entry) => entry.pid));
  return family;
}

/** Waits until all of them have ended: a process that has ended is still seen until the one that inherited it has reaped it. */
export async function gone(pids: readonly number[]): Promise<void> {
  await waitUntil(() => alive(pids).length === 0, { description: 'all processes have ended' });
}

/** Kills an app, and each one that is started in its place, as often as that. */
export async function killAgainAndAgain(place: Workplace, launcher: Launcher, app: 'gateway' | 'worker', times: number): Promise<void> {
  let last = 0;
  for (let count = 0; count < times; count += 1) {
    last = await waitUntil(() => anotherApp(place, launcher, app, last), { description: `there is another ${app}` });
    process.kill(last, 'SIGKILL');
  }
}

/** The process of an app, when it is another one than before. */
export function anotherApp(place: Workplace, launcher: Launcher, app: 'gateway' | 'worker', before: number): number | undefined {
  try {
    const pid = place.appOf(launcher, app);
    return pid === before ? undefined : pid;
  } catch {
    return undefined; // Not started yet.
  }
}

/** A port that somebody listens on until it is released. */
export async function takenPort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.');
  const release = async (): Promise<void> => {
    server.close();
    await once(server, 'close');
  };
  return { port: address.port, release };
}
