/** Repositories that are the same to the last hash wherever they are made, because authors and dates are fixed. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

type Content = string | Uint8Array | undefined;

const LINES = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
const changed = (...at: number[]): string => `${LINES.map((line, index) => (at.includes(index) ? line.toUpperCase() : line)).join('\n')}\n`;

/** Runs git as somebody at the machine would. @returns what it writes, without the last line break */
export function git(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const own = { PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C', ...env };
  return execFileSync('git', [...args], { cwd: folder, env: own, encoding: 'utf8', stdio: 'pipe' }).replace(/\n$/, '');
}

/** @param files contents by name; undefined removes one */
function write(folder: string, files: Readonly<Record<string, Content>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    if (content === undefined) rmSync(join(folder, name));
    else writeFileSync(join(folder, name), content);
  }
}

let minutes = 0;

/** The next date of this making, each a minute later than the one before. */
function dated(offset = '+0000', author = 'Ada Author'): Readonly<Record<string, string>> {
  minutes += 1;
  const at = `2024-03-01T12:${String(minutes).padStart(2, '0')}:00${offset}`;
  const [committer, email] = ['Carl Committer', 'ada@example.com'];
  return {
    GIT_AUTHOR_NAME: author,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_NAME: committer,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: at,
  };
}

function commit(folder: string, message: string, files: Readonly<Record<string, Content>>, env = dated()): void {
  write(folder, files);
  git(folder, ['add', '--all']);
  git(folder, ['commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-m', message], env);
}

function init(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['config', 'user.name', 'Test User']);
  git(folder, ['config', 'user.email', 'test@example.com']);
}

/**
 * A repository with history, branches, tags and a remote, and among its ignored files, in `others`, two without a commit, one amid a merge,
 * one amid a merge with a conflict, a bare one, and a folder that is none.
 */
export function makeEqualRepositories(folder: string): void {
  minutes = 0;
  init(folder);
  commit(folder, 'initial commit\n', {
    '.gitignore': '/others/\n',
    'test.txt': changed(),
    'src/a.txt': 'a\n',
    'src/deep/b.txt': 'b\n',
    'with space.txt': 'space\n',
    'ünïcode.txt': 'ü\n',
    // Never changed: the reference server ends when a diff shows it.
    'latin1.txt': Uint8Array.from([0xe4, 0xf6, 0xfc, 10]),
    'binary.bin': Uint8Array.from([0, 1, 2, 255]),
    'no-newline.txt': 'no newline',
    'empty.txt': '',
  });
  git(folder, ['tag', 'v1']);
  commit(
    folder,
    'a subject\n\nand a body\n  with spaces\n\n',
    { 'test.txt': changed(1, 15), 'src/a.txt': undefined },
    dated('+0530', 'Zoë Ünï'),
  );
  renameSync(join(folder, 'src/deep/b.txt'), join(folder, 'src/c.txt'));
  chmodSync(join(folder, 'with space.txt'), 0o755);
  commit(folder, 'renames, changes a mode, changes bytes', {
    'binary.bin': Uint8Array.from([0, 3]),
  });
  git(folder, ['tag', '--annotate', 'v2', '-m', 'the second'], dated());
  git(folder, ['branch', 'feature']);
  commit(folder, 'on main', { 'main.txt': 'main\n' }, dated('-0800'));
  git(folder, ['checkout', '--quiet', 'feature']);
  commit(folder, 'on the feature', { 'feature.txt': 'feature\n', 'test.txt': changed(1, 15, 19) });
  git(folder, ['checkout', '--quiet', 'main']);
  git(folder, ['merge', '--quiet', '--no-ff', 'feature', '-m', 'merges the feature'], dated());
  git(folder, ['branch', 'old', 'v1']);
  git(folder, ['update-ref', 'refs/remotes/origin/main', 'main~1']);
  git(folder, ['update-ref', 'refs/remotes/origin/elsewhere', 'feature']);
  makeOthers(join(folder, 'others'));
}

function makeOthers(others: string): void {
  for (const name of ['empty', 'unborn']) init(join(others, name));
  for (const name of ['merging', 'conflict']) {
    const folder = join(others, name);
    init(folder);
    commit(folder, 'base', { 'test.txt': 'base\n' });
    git(folder, ['checkout', '--quiet', '-b', 'side']);
    commit(folder, 'side', name === 'merging' ? { 'side.txt': 'side\n' } : { 'test.txt': 'side\n' });
    git(folder, ['checkout', '--quiet', 'main']);
    commit(folder, 'main', name === 'merging' ? { 'main.txt': 'main\n' } : { 'test.txt': 'main\n' });
    try {
      git(folder, ['merge', '--quiet', '--no-ff', '--no-commit', 'side'], dated());
    } catch {
      // That is the conflict.
    }
  }
  git(others, ['clone', '--quiet', '--bare', 'merging', 'bare.git']);
  mkdirSync(join(others, 'plain'));
}
