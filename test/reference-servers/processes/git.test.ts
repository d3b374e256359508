/** Tests the git tools through a gateway without git, on two workers, in both protocol versions. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { modernClient, PLAIN_CLIENT } from '../../support/gateway-2026/modern-client.js';
import { Deployment, type Process } from '../../support/deployment.js';
import { scaled } from '../../support/scale.js';
import { waitUntil } from '../../support/wait-until.js';

interface Answer {
  readonly text: string;
  readonly isError: boolean;
}
type Call = (name: string, args: object) => Promise<Answer>;

/** Tools that answer with an error are in the log of workers. */
const ENV = { LONGHAUL_FEATURES: '@longhaul/reference-servers/git', LOG_LEVEL: 'error' };

let root: string;
let repo: string;
let repositories = 0;
let deployment: Deployment;
let gateway: Process;
let client: Client;

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'git-test-')));
  deployment = Deployment.create({ ...ENV, LONGHAUL_GIT_ROOTS: root });
  gateway = await deployment.gateway({ PATH: root });
  await Promise.all([deployment.worker(), deployment.worker()]);
  client = await deployment.client(gateway.url);
});
afterAll(async () => {
  await deployment.close();
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  repo = join(root, `repo-${++repositories}`);
  mkdirSync(repo);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test User');
  git('config', 'user.email', 'test@example.com');
  write('test.txt');
  git('add', '.');
  git('commit', '--quiet', '-m', 'initial commit');
});

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: repo, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function write(name: string): void {
  writeFileSync(join(repo, name), `of ${name}\n`);
}

function answerOf({ content, isError = false }: CallToolResult): Answer {
  const [block] = content;
  return { text: block?.type === 'text' ? block.text : '', isError };
}

const older: Call = async (name, args) =>
  answerOf((await client.callTool({ name, arguments: { repo_path: repo, ...args } })) as CallToolResult);
const newer: Call = async (name, args) => {
  const { result } = await modernClient(gateway, PLAIN_CLIENT).tool(name, { repo_path: repo, ...args });
  return answerOf(result as unknown as CallToolResult);
};
const VERSIONS = [
  ['2025-11-25', older],
  ['2026-07-28', newer],
] as const;

describe.each(VERSIONS)('the git tools in %s', (_version, call) => {
  it('stage, commit and show, without git at the gateway', async () => {
    write('new.txt');
    expect(await call('git_status', {})).toEqual({ text: `Repository status:\n${git('status')}`, isError: false });
    expect(await call('git_add', { files: ['new.txt'] })).toEqual({ text: 'Files staged successfully', isError: false });
    const committed = await call('git_commit', { message: 'add new' });
    expect(committed).toEqual({ text: `Changes committed successfully with hash ${git('rev-parse', 'HEAD')}`, isError: false });
    expect((await call('git_show', { revision: 'HEAD' })).text).toContain('\n    add new\n\n--- /dev/null\n+++ b/new.txt\n');
  });

  it('answer with an error of the tool, in the words of the reference server', async () => {
    const text = "Error executing tool git_diff: Invalid target: '--output=evil' - cannot start with '-'";
    expect(await call('git_diff', { target: '--output=evil' })).toEqual({ text, isError: true });
    const outside = `Error executing tool git_status: Repository path '/' is outside the allowed repository '${root}'`;
    expect(await call('git_status', { repo_path: '/' })).toEqual({ text: outside, isError: true });
  });
});

/** Git processes take turns at a repository, and share the processors with other tests. */
const BUSY_MS = 120_000;
const CALLERS = scaled(10, 20);

describe('commits', () => {
  it('of many callers at once, on two workers, are all there, or their callers learn why not', { timeout: BUSY_MS }, async () => {
    const callers = Array.from({ length: CALLERS }, (_, index) => [`file-${index}.txt`, `more-${index}.txt`]);
    const commit = async (call: Call, name = ''): Promise<Answer> => {
      write(name);
      expect(await call('git_add', { files: [name] })).toMatchObject({ isError: false });
      return call('git_commit', { message: `adds ${name}` });
    };
    const twice = async ([first, second]: readonly string[], call: Call) => [await commit(call, first), await commit(call, second)];
    const answers = (await Promise.all(callers.map((names, index) => twice(names, index % 2 === 0 ? older : newer)))).flat();
    const log = git('log', '--format=%H').split('\n');
    const made = answers.flatMap(({ text, isError }) => (isError ? [] : (/hash ([0-9a-f]{40})$/.exec(text)?.[1] ?? 'none')));
    // Changes that one caller has staged may be in another caller's commit; then the first caller has no commit.
    for (const { text } of answers.filter(({ isError }) => isError)) expect(text).toContain('No changes staged for commit.');
    expect(new Set(made).size).toBe(made.length);
    expect(log.slice(0, -1).toSorted()).toEqual(made.toSorted());
    expect(git('ls-tree', '--name-only', 'HEAD').split('\n').toSorted()).toEqual([...callers.flat(), 'test.txt'].toSorted());
    expect(git('status', '--porcelain')).toBe('');
    git('fsck', '--strict');
  });

  it('exist once when the worker is killed inside one', { timeout: BUSY_MS }, async () => {
    const alone = Deployment.create({ ...ENV, LONGHAUL_GIT_ROOTS: root });
    try {
      const there = await alone.gateway();
      const killed = await alone.worker();
      const caller = await alone.client(there.url);
      write('new.txt');
      git('add', '.');
      // Git waits for this lock when it moves the branch, with the commit written.
      const lock = join(repo, '.git/refs/heads/main.lock');
      writeFileSync(lock, '');
      const calling = caller.callTool({ name: 'git_commit', arguments: { repo_path: repo, message: 'once' } });
      const commits = (): number => git('cat-file', '--batch-all-objects', '--batch-check').match(/ commit /g)?.length ?? 0;
      await waitUntil(() => commits() === 2, { timeoutMs: BUSY_MS / 2, description: 'the commit is written' });
      await killed.kill();
      rmSync(lock);
      await alone.worker();
      const answer = answerOf((await calling) as CallToolResult);
      expect(answer).toEqual({ text: `Changes committed successfully with hash ${git('rev-parse', 'HEAD')}`, isError: false });
      expect(git('log', '--format=%s')).toBe('once\ninitial commit');
    } finally {
      await alone.close();
    }
  });
});

describe('without folders', () => {
  it('a gateway lists no git tools', async () => {
    const without = await deployment.client((await deployment.gateway({ LONGHAUL_GIT_ROOTS: '' })).url);
    expect((await without.listTools()).tools).toEqual([]);
  });

  it('a worker that lacks one does not start', async () => {
    await expect(deployment.worker({ LONGHAUL_GIT_ROOTS: join(root, 'missing') })).rejects.toThrow(/worker\S* ended with 1/);
  });
});
