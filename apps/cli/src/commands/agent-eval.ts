import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type EvalFile, type EvalReport, type EvalResult, parseEvals, runEvals } from '@longhaul/agent/evals';
import { ConfigError } from '@longhaul/runtime/environment';
import { printable } from '@longhaul/runtime/printable';
import { EXIT_CODES } from '../agent/exit-code.js';
import type { Given } from '../command-line/command.js';
import { billText } from '../operators/output/bill-text.js';
import { serveInKeptProcesses } from '../serve/kept-processes.js';
import { readSettings } from '../settings.js';
import { requireStore } from '../store.js';
import type { Terminal } from '../terminal.js';
import { userDataFolder } from '../user-data-folder.js';
import { UserError } from '../user-error.js';
import { serveUntilStopped, type ServeOptions } from './serve-until-stopped.js';

const RUN_FILE = 'run.json';

/** A run that has begun: another command continues it, if it was cut off. */
interface BegunRun {
  readonly run: string;
  /** Of the file of evals. */
  readonly hash: string;
}

/**
 * `longhaul agent eval FILE`: runs the cases of a file as tasks of a gateway and a worker of its own, and says which have passed.
 *
 * @returns the exit code: 0 if all have passed, see `EXIT_CODES`
 * @throws UserError for a wrong file or wrong settings
 */
export async function agentEval({ words, has }: Given, terminal: Terminal): Promise<number> {
  const [file, ...others] = words;
  if (file === undefined || others.length > 0) throw new UserError('agent eval needs one FILE (see longhaul agent eval --help)', 2);
  const path = resolve(terminal.cwd, file);
  const { evals, hash } = await readEvals(file, path);
  const folder = join(userDataFolder(terminal.env), 'evals', createHash('sha256').update(path).digest('hex').slice(0, 16));
  await mkdir(folder, { recursive: true });
  const { run, isContinued } = await beginRun(folder, hash, has('fresh'));
  if (isContinued) terminal.err('longhaul: this run was cut off, and continues; --fresh begins again');
  const settings = readSettings(environmentOf(terminal.env, folder, evals), terminal.cwd);
  let report: EvalReport | undefined;
  await serveUntilStopped(settings, terminal, async (options) => {
    report = await evaluate(options, evals, run, has('json'));
    return undefined;
  });
  if (report === undefined) return EXIT_CODES.cancelled;
  await rm(join(folder, RUN_FILE), { force: true });
  if (has('json')) terminal.out(JSON.stringify(report));
  else for (const line of summaryOf(report)) terminal.out(line);
  return report.failed === 0 ? EXIT_CODES.answered : EXIT_CODES.failedCases;
}

async function readEvals(file: string, path: string): Promise<{ readonly evals: EvalFile; readonly hash: string }> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`${file}: cannot be read (${error.code ?? error.message})`);
  });
  try {
    return { evals: parseEvals(content, file), hash: createHash('sha256').update(content).digest('hex') };
  } catch (error) {
    throw error instanceof ConfigError ? new UserError(error.message) : error;
  }
}

/** Continues the run that was cut off, unless the file has changed. */
async function beginRun(folder: string, hash: string, isFresh: boolean): Promise<{ readonly run: string; readonly isContinued: boolean }> {
  const path = join(folder, RUN_FILE);
  const begun = isFresh ? undefined : await begunRun(path);
  if (begun?.hash === hash) return { run: begun.run, isContinued: true };
  const run = `${randomUUID()}.${randomUUID()}`;
  await writeFile(path, JSON.stringify({ run, hash } satisfies BegunRun), { mode: 0o600 });
  return { run, isContinued: false };
}

async function begunRun(path: string): Promise<BegunRun | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as BegunRun;
  } catch {
    return undefined; // None was cut off, or so early that it has begun nothing.
  }
}

/** Of a deployment for this file alone: what a file starts has nothing to do with other tasks of the user. */
function environmentOf(given: NodeJS.ProcessEnv, folder: string, { mcpServers, agents }: EvalFile): NodeJS.ProcessEnv {
  const set = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== '' && !NOT_FOR_EVALS.has(name)));
  return {
    LONGHAUL_DRAIN_MS: '1000',
    ...set,
    HOST: '127.0.0.1',
    PORT: '0',
    LONGHAUL_DATA_DIR: folder,
    LONGHAUL_FEATURES: '@longhaul/agent/feature',
    ...(mcpServers !== undefined && { LONGHAUL_AGENT_SERVERS: JSON.stringify({ mcpServers }) }),
    ...(agents !== undefined && { LONGHAUL_AGENT_AGENTS: JSON.stringify(agents) }),
  };
}

const NOT_FOR_EVALS: ReadonlySet<string> = new Set([
  'REDIS_URL',
  'LONGHAUL_TOKENS',
  'LONGHAUL_ISSUERS',
  'LONGHAUL_PUBLIC_URL',
  'LONGHAUL_SCOPES',
  'LONGHAUL_HEALTH_PORT',
  'LONGHAUL_METRICS_PORT',
  'LONGHAUL_STATELESS',
]);

async function evaluate(
  { settings, terminal, cleanup, signal, log }: ServeOptions,
  evals: EvalFile,
  run: string,
  isJson: boolean,
): Promise<EvalReport> {
  await requireStore(settings, terminal.cwd);
  const { url, failed } = await serveInKeptProcesses(settings, cleanup, { out: process.stderr, signal, log });
  signal.throwIfAborted();
  const failure = failed.then((why): never => {
    throw new UserError(why);
  });
  const onResult = (result: EvalResult): void => {
    for (const line of linesOf(result)) {
      if (isJson) terminal.err(line);
      else terminal.out(line);
    }
  };
  return Promise.race([runEvals(evals, { url, secret: run, run, signal, onResult }), failure]);
}

function linesOf({ name, repetition, passed, problems, declined = [] }: EvalResult): readonly string[] {
  const title = `${passed ? 'PASS' : 'FAIL'}  ${printable(name)}${repetition > 1 ? ` (${repetition})` : ''}`;
  const questions = passed ? [] : declined.map((question) => `      declined, because no answer is given: ${printable(question)}`);
  return [title, ...problems.map((problem) => `      ${printable(problem)}`), ...questions];
}

function summaryOf({ passed, failed, bill }: EvalReport): readonly string[] {
  const cost = billText({ structuredContent: { bill } });
  return ['', `${passed} passed, ${failed} failed`, ...(cost === undefined ? [] : [cost])];
}
