/** Provides real repositories in a temporary folder, and calls tools as a worker does, without a store. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject, TaskContext } from '@longhaul/tasks';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { gitTools } from './git-tools.js';

/** The answer of a tool. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/** The arguments and options of a call. */
export type Arguments = Record<string, string | number | string[]>;

/** Every tool, with arguments that are fine. */
export const CALLS: readonly (readonly [tool: string, args: Arguments])[] = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'other' }],
  ['git_add', { files: ['.'] }],
  ['git_commit', { message: 'a message' }],
  ['git_reset', {}],
  ['git_log', {}],
  ['git_create_branch', { branch_name: 'made' }],
  ['git_checkout', { branch_name: 'other' }],
  ['git_show', { revision: 'other' }],
  ['git_branch', { branch_type: 'all' }],
];

/** How a step is run: once, or as a test says. */
export type StepRunner = TaskContext['step'];

const TEXT = 'line 1\nline 2\nline 3\nline 4\nline 5\n';

let template: string | undefined;

function makeTemplate(): string {
  const folder = mkdtempSync(join(tmpdir(), 'git-template-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'config', 'user.name', 'Test User');
  git(folder, 'config', 'user.email', 'test@example.com');
  write(folder, 'test.txt', TEXT);
  commitAll(folder, 'initial commit');
  return folder;
}

/** A folder with repositories. */
export class Repositories {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), 'git-tools-')));

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A repository on the branch `main` with one commit of `test.txt`. @returns its folder */
  make(name = 'repo'): string {
    const folder = join(this.folder, name);
    // A copy is made faster than a repository.
    cpSync((template ??= makeTemplate()), folder, { recursive: true });
    return folder;
  }

  /** Calls a tool; the folder of this is the only allowed one. */
  async call(name: string, args: JsonObject, roots: readonly string[] = [this.folder], step: StepRunner = once): Promise<Answer> {
    const tool = gitTools({ roots }).find((tool) => tool.name === name);
    if (tool?.taskSupport !== 'optional') throw new Error(`No durable tool is called ${name}.`);
    const { signal } = new AbortController();
    const now = () => 1_700_000_000_000;
    const task = { client: { capabilities: {} }, signal, step, now } as unknown as TaskContext;
    try {
      const { content, isError = false } = (await tool.workflow.run(args, task)) as unknown as CallToolResult;
      const [block] = content;
      return { text: block?.type === 'text' ? block.text : '', isError };
    } catch (error) {
      return { text: (error as Error).message, isError: true };
    }
  }
}

/** Calls a tool on one repository. */
export type CallTool = (name: string, args?: Arguments) => Promise<Answer>;

/** A repository `repo` in a folder `root`, the only allowed folder. Next to it are folders that are not allowed. */
export function oneRepository() {
  const place = new Repositories();
  const repo = place.make('root/repo');
  const root = join(place.folder, 'root');
  const call: CallTool = (name, args = {}) => place.call(name, { repo_path: repo, ...args }, [root]);
  return { place, root, repo, call };
}

const once: StepRunner = async (name, run) => run({ signal: new AbortController().signal, attempt: 1, idempotencyKey: `key of ${name}` });

/** Runs every step twice and continues with the second result, as when a worker dies right before it records the first. */
export const twice: StepRunner = async (name, run) => {
  await once(name, run);
  return once(name, run);
};

/** Runs git as somebody at the machine would. @returns what it writes, without the last line break */
export function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  return execFileSync('git', ['-c', 'protocol.file.allow=always', ...args], { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' }).replace(
    /\n$/,
    '',
  );
}

export function write(folder: string, name: string, content: string | Buffer): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

/** @returns its id */
export function commitAll(folder: string, message: string): string {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-m', message);
  return head(folder);
}

export function head(folder: string): string {
  return git(folder, 'rev-parse', 'HEAD');
}

export function shown(text: string): Answer {
  return { text, isError: false };
}

export function refused(tool: string, message: string): Answer {
  return { text: `Error executing tool ${tool}: ${message}`, isError: true };
}
