/** A copy of the repository as `git clone` and `npm ci` leave it: nothing in it is compiled, and commands run in it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { INHERITED_ENV } from '../support/inherited-env.js';
import { waitUntil } from '../support/wait-until.js';

const root = new URL('../../', import.meta.url).pathname;
/** At the end of PATH, for machines without curl. */
const standIns = new URL('stand-ins/', import.meta.url).pathname;

/** What links to the packages of this repository. */
const OWN = ['@longhaul', 'longhaul'];

/** What a command has printed, and its exit code. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

export class FreshCopy {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-fresh-')));
  readonly #running = new Set<ChildProcess>();

  constructor() {
    const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
    for (const file of listed.split('\0'))
      if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(this.folder, file));
    for (const place of ['.', ...readdirSync(join(root, 'libs')).map((name) => `libs/${name}`)]) this.#linkPackages(place);
  }

  /** Runs a command of a document in a shell. */
  async run(command: string, env: Record<string, string> = {}): Promise<Ended> {
    const child = this.#spawn(command, env);
    const output = collected(child);
    const [code] = (await once(child, 'close')) as [number | null];
    this.#running.delete(child);
    return { code, output: output() };
  }

  /** Runs one that serves until it is stopped, and stops it after use as Ctrl-C does. */
  async serving(command: string, use: (endpoint: string) => Promise<void>): Promise<void> {
    const child = this.#spawn(command, { PORT: '0', LONGHAUL_RESEARCH_STAGE_MS: '300' });
    const output = collected(child);
    const closed = once(child, 'close');
    const endpoint = await waitUntil(
      () => {
        if (child.exitCode !== null) throw new Error(`"${command}" ended with exit code ${child.exitCode}: ${output()}`);
        return /Endpoint +(\S+)[\s\S]*Ctrl-C/.exec(output())?.[1];
      },
      { timeoutMs: 120_000, description: `"${command}" prints its endpoint` },
    );
    try {
      await use(endpoint);
    } finally {
      signalGroup(child, 'SIGINT');
      await closed;
      this.#running.delete(child);
    }
  }

  close(): void {
    for (const child of this.#running) signalGroup(child, 'SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The installed packages; those of this repository are the copy's own. */
  #linkPackages(place: string): void {
    const installed = join(root, place, 'node_modules');
    if (!existsSync(installed)) return;
    const target = join(this.folder, place, 'node_modules');
    mkdirSync(target);
    for (const name of readdirSync(installed).filter((entry) => entry !== '.cache' && entry !== '.vite' && !OWN.includes(entry)))
      symlinkSync(join(installed, name), join(target, name));
    for (const name of OWN.filter((entry) => existsSync(join(installed, entry))))
      cpSync(join(installed, name), join(target, name), { recursive: true, verbatimSymlinks: true });
  }

  #spawn(command: string, env: Record<string, string>): ChildProcess {
    const own = { HOME: this.folder, PATH: [dirname(process.execPath), INHERITED_ENV['PATH'], standIns].join(delimiter) };
    const child = spawn('sh', ['-c', command], {
      cwd: this.folder,
      env: { ...own, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running.add(child);
    return child;
  }
}

function collected(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (output += data.toString()));
  return () => output;
}

/** The shell and what it has started, as a terminal does. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) process.kill(-pid, signal);
}
