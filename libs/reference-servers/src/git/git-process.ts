/**
 * Starts git. Arguments are an array, so no shell reads them. The environment is closed, so nothing of the worker takes part: its `GIT_*`,
 * its user's and its system's configuration, its network. The settings of {@link safeSettings} take precedence over the repository's
 * configuration, and override everything in it that could make git run a program.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { endChildWithThisProcess } from '@longhaul/runtime/reaper';
import { CommandFailure, GitFailure } from './git-failure.js';
import { MAX_OUTPUT_BYTES, type GitOutput } from './git-output.js';

const execute = promisify(execFile);

/** Name and value of a setting; a list, because git reads some names several times. */
export type Settings = readonly (readonly [name: string, value: string])[];

/** How a command is run. */
export interface GitOptions {
  /** Its standard input. Default: nothing. */
  readonly input?: string;
  /** The command in errors, as the reference server would run it. Default: the arguments. */
  readonly shownAs?: readonly string[];
  /** Variables in addition to those that every command gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of its output; then it is ended. */
  readonly maxBytes?: number;
}

interface GitCommand extends GitOptions {
  readonly args: readonly string[];
  readonly folder: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** Settings that hold for every repository. */
const FIXED_SETTINGS: Settings = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.alternateRefsCommand', ''],
  ['core.sshCommand', ''],
  ['core.askPass', ''],
  ['core.editor', 'false'],
  ['core.pager', 'cat'],
  // Names are shown as they are, in any alphabet.
  ['core.quotePath', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['diff.external', ''],
  ['gpg.program', ''],
  ['commit.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  // Git would start itself in submodules with a configuration that has not been checked.
  ['diff.submodule', 'short'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['color.ui', 'false'],
  ['color.branch', 'false'],
  ['color.diff', 'false'],
  ['color.status', 'false'],
  ['i18n.commitEncoding', 'UTF-8'],
  // Git itself waits for the locks of refs.
  ['core.filesRefLockTimeout', '10000'],
  ['core.packedRefsTimeout', '10000'],
  ['user.useConfigOnly', 'true'],
];

/** By the name of a setting that runs a program: what it is set to, so that it runs none. */
const PROGRAMS: readonly (readonly [name: RegExp, value: string])[] = [
  [/^filter\..*\.(clean|smudge|process)$/s, ''],
  [/^filter\..*\.required$/s, 'false'],
  [/^diff\..*\.(textconv|command)$/s, ''],
  // A merge driver has to run: this one says that it could not merge.
  [/^merge\..*\.driver$/s, 'false'],
  [/^gpg\..*\.program$/s, ''],
  [/^hook\..*\.command$/s, ''],
  [/^hook\..*\.enabled$/s, 'false'],
  [/^credential\..*\.helper$/s, ''],
];

/** The settings that override a repository's configuration. @param names of all settings of the repository */
export function safeSettings(names: readonly string[]): Settings {
  const ofPrograms = names.flatMap((name) => PROGRAMS.flatMap(([pattern, value]): Settings => (pattern.test(name) ? [[name, value]] : [])));
  return [...FIXED_SETTINGS, ...ofPrograms];
}

/** @throws CommandFailure when it ends with an error; GitFailure when it cannot be started; the signal's reason */
export async function runGit({ args, folder, settings, signal, ...options }: GitCommand): Promise<GitOutput> {
  const { input = '', shownAs = args, env = {}, maxBytes: maxBuffer = MAX_OUTPUT_BYTES } = options;
  signal.throwIfAborted();
  try {
    const environment = { ...closedEnvironment(settings), ...env };
    const running = execute('git', ['--no-pager', ...args], { cwd: folder, env: environment, signal, maxBuffer, encoding: 'buffer' });
    endChildWithThisProcess(running.child);
    running.child.stdin?.on('error', () => undefined); // It has ended without having read everything, and says why.
    running.child.stdin?.end(input);
    return { stdout: (await running).stdout, isCut: false };
  } catch (error) {
    if (!isExecError(error) || signal.aborted) throw error;
    const { code, stdout, stderr } = error;
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER' && stdout.byteLength >= maxBuffer) return { stdout, isCut: true };
    if (typeof code === 'number') throw new CommandFailure(shownAs, code, trimmed(stderr), trimmed(stdout));
    if (code === 'ENOENT') throw new GitFailure('git cannot be started on this worker: is it installed?');
    if (code === 'ERR_INVALID_ARG_VALUE') throw new GitFailure('An argument has a null byte, which git cannot take.');
    throw error;
  }
}

function closedEnvironment(settings: Settings): NodeJS.ProcessEnv {
  const { PATH, TZ } = process.env;
  const numbered = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    PATH,
    ...(TZ !== undefined && { TZ }),
    HOME: '/nonexistent',
    LANGUAGE: 'C',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Reading takes no locks.
    GIT_OPTIONAL_LOCKS: '0',
    // Missing objects of a partial clone are not fetched: no transport is allowed.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_CONFIG_COUNT: String(settings.length),
    ...(Object.fromEntries(numbered) as Record<string, string>),
  };
}

interface ExecError extends Error {
  readonly code: unknown;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

function isExecError(error: unknown): error is ExecError {
  return error instanceof Error && 'code' in error;
}

function trimmed(output: Buffer): string {
  return output.toString('utf8').replace(/\n$/, '');
}
