import { mkdirSync, renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CUT_NOTE, MAX_OUTPUT_BYTES } from './git-output.js';
import { type Answer, commitAll, git, head, refused, Repositories, shown, write } from './repositories.fixture.js';

let place: Repositories;
let repo: string;

beforeEach(() => {
  place = new Repositories();
  repo = place.make();
});
afterEach(() => place.remove());

const call = (name: string, args: Record<string, string | number> = {}): Promise<Answer> => place.call(name, { repo_path: repo, ...args });
const change = (line: string): void => write(repo, 'test.txt', `line 1\nline 2\n${line}\nline 4\nline 5\n`);

describe('any tool', () => {
  it.each(['missing', 'plain'])('answers with the path where there is no repository: %s', async (name) => {
    mkdirSync(join(place.folder, 'plain'));
    const path = join(place.folder, name);
    expect(await place.call('git_status', { repo_path: path })).toEqual(refused('git_status', path));
  });

  it.each(['sub', 'sub/deep', 'missing', '.git', 'sub/../sub/'])('names the repository that %s is inside of', async (name) => {
    mkdirSync(join(repo, 'sub/deep'), { recursive: true });
    const path = `${repo}/${name}`;
    const message = `'${resolve(path)}' is inside the repository '${repo}': pass that as repo_path`;
    expect(await place.call('git_status', { repo_path: path })).toEqual(refused('git_status', message));
    expect(await place.call('git_status', { repo_path: path }, [join(repo, 'sub')])).toMatchObject({
      isError: true,
      text: expect.not.stringContaining('is inside the repository') as string,
    });
  });

  it('works in a linked work tree and in a submodule', async () => {
    git(repo, 'worktree', 'add', '--quiet', '../tree', '-b', 'tree');
    const other = place.make('other');
    git(repo, 'submodule', '--quiet', 'add', other, 'sub');
    expect((await place.call('git_status', { repo_path: join(place.folder, 'tree') })).text).toContain('On branch tree');
    expect((await place.call('git_status', { repo_path: join(repo, 'sub') })).text).toContain('On branch main');
    expect((await call('git_status')).text).toContain('new file:   sub');
  });
});

describe('git_status', () => {
  it('shows a clean work tree', async () => {
    expect(await call('git_status')).toEqual(shown('Repository status:\nOn branch main\nnothing to commit, working tree clean'));
  });

  it('shows what git shows, changed and new files', async () => {
    change('CHANGED');
    write(repo, 'new.txt', 'new\n');
    expect(await call('git_status')).toEqual(shown(`Repository status:\n${git(repo, 'status')}`));
  });
});

describe('diffs', () => {
  it('are empty where nothing has changed', async () => {
    expect(await call('git_diff_unstaged')).toEqual(shown('Unstaged changes:\n'));
    expect(await call('git_diff_staged')).toEqual(shown('Staged changes:\n'));
    expect(await call('git_diff', { target: 'main' })).toEqual(shown('Diff with main:\n'));
  });

  it('show what git shows of the index, of the work tree and of another commit, with so many lines around it', async () => {
    change('STAGED');
    git(repo, 'add', '.');
    expect(await call('git_diff_staged')).toEqual(shown(`Staged changes:\n${git(repo, 'diff', '--cached')}`));
    expect(await call('git_diff_staged', { context_lines: 0 })).toEqual(shown(`Staged changes:\n${git(repo, 'diff', '--cached', '-U0')}`));
    change('CHANGED');
    expect(await call('git_diff_unstaged')).toEqual(shown(`Unstaged changes:\n${git(repo, 'diff')}`));
    expect(await call('git_diff_unstaged', { context_lines: 1 })).toEqual(shown(`Unstaged changes:\n${git(repo, 'diff', '-U1')}`));
    expect(await call('git_diff', { target: 'HEAD' })).toEqual(shown(`Diff with HEAD:\n${git(repo, 'diff', 'HEAD')}`));
    expect((await call('git_diff', { target: 'HEAD' })).text).toContain('-line 3\n+CHANGED');
  });

  it('with a revision that is none are refused', async () => {
    for (const target of ['nope', 'main..HEAD', 'two\nlines'])
      expect(await call('git_diff', { target })).toEqual(refused('git_diff', `Ref '${target}' did not resolve to an object`));
  });

  it('are cut where they are too long, with a note', async () => {
    write(repo, 'test.txt', 'ä'.repeat(MAX_OUTPUT_BYTES));
    const { text } = await call('git_diff_unstaged');
    expect(text.endsWith(`ä${CUT_NOTE}`)).toBe(true);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_OUTPUT_BYTES + 200);
  });
});

describe('git_log', () => {
  const entry = (revision: string): string =>
    git(repo, 'log', '-1', '--format=Commit: %H%nAuthor: %an%nDate: %ad%nMessage: %B', '--date=format:%Y-%m-%d %H:%M:%S%z', revision);
  const withColon = (text: string): string => text.replace(/([+-]\d\d)(\d\d)$/m, '$1:$2');

  it('shows commits with all of their messages, the newest first', async () => {
    const initial = head(repo);
    const first = commitAll(repo, 'commit 0\n\nbody 0\n');
    const { text } = await call('git_log');
    const entries = text.slice('Commit history:\n'.length).split(/^(?=Commit: )/m);
    expect(entries.map((one) => one.trimEnd())).toEqual([first, initial].map((id) => withColon(entry(id)).trimEnd()));
    expect(text).toMatch(
      /^Commit history:\nCommit: [0-9a-f]{40}\nAuthor: Test User\nDate: \d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d\d:\d\d\nMessage: commit 0\n\nbody 0\n\n\nCommit: /,
    );
  });

  it('shows no more than so many, and only those between the dates', async () => {
    commitAll(repo, 'second');
    expect((await call('git_log', { max_count: 1 })).text.match(/^Commit: /gm)).toHaveLength(1);
    expect(await call('git_log', { start_timestamp: '2099-01-01' })).toEqual(shown('Commit history:\n'));
    expect(await call('git_log', { end_timestamp: '2000-01-01' })).toEqual(shown('Commit history:\n'));
    expect((await call('git_log', { start_timestamp: '2000-01-01', end_timestamp: '2099-01-01' })).text.match(/^Commit: /gm)).toHaveLength(
      2,
    );
  });

  it('reads a message in the encoding of its commit, and a clock that is behind', async () => {
    git(repo, 'config', 'i18n.commitEncoding', 'ISO-8859-1');
    write(repo, '../message', Buffer.from('caf\xe9\n', 'latin1'));
    git(repo, 'commit', '--quiet', '--allow-empty', '--date=2026-01-01T00:30:00-0330', '-F', '../message');
    expect((await call('git_log', { max_count: 1 })).text).toContain('Date: 2026-01-01 00:30:00-03:30\nMessage: café\n');
  });

  it('says so where there is no commit yet', async () => {
    git(repo, 'checkout', '--quiet', '--orphan', 'empty');
    expect(await call('git_log')).toEqual(refused('git_log', "Reference at 'refs/heads/empty' does not exist"));
  });
});

describe('git_show', () => {
  const header = (message: string): string => {
    const [id, date] = git(repo, 'log', '-1', '--format=%H|%ad', '--date=iso').split('|');
    return `commit ${id}\nAuthor: Test User <test@example.com>\nDate:   ${date}\n\n${message}`;
  };

  it('shows a commit with its patch', async () => {
    change('SHOWN');
    const id = commitAll(repo, 'subject\n\nbody line\n');
    const patch = '\n--- a/test.txt\n+++ b/test.txt\n@@ -1,5 +1,5 @@\n line 1\n line 2\n-line 3\n+SHOWN\n line 4\n line 5\n';
    expect(await call('git_show', { revision: id })).toEqual(shown(header('    subject\n    \n    body line\n') + patch));
    git(repo, 'tag', '-a', 'v1', '-m', 'a tag');
    expect(await call('git_show', { revision: 'v1' })).toEqual(await call('git_show', { revision: id }));
  });

  it.each<[string, () => void, string]>([
    [
      'a new file',
      () => write(repo, 'with space "and quotes"\t.txt', 'x\n'),
      '\n--- /dev/null\n+++ b/with space "and quotes"\t.txt\n@@ -0,0 +1 @@\n+x\n',
    ],
    ['a file with a space in its name', () => write(repo, 'a b.txt', 'x\n'), '\n--- /dev/null\n+++ b/a b.txt\n@@ -0,0 +1 @@\n+x\n'],
    ['a file with another alphabet', () => write(repo, 'ж.txt', 'x\n'), '\n--- /dev/null\n+++ b/ж.txt\n@@ -0,0 +1 @@\n+x\n'],
    [
      'a deleted file',
      () => git(repo, 'rm', '--quiet', 'test.txt'),
      '\n--- a/test.txt\n+++ /dev/null\n@@ -1,5 +0,0 @@\n-line 1\n-line 2\n-line 3\n-line 4\n-line 5\n',
    ],
    ['a renamed file', () => renameSync(join(repo, 'test.txt'), join(repo, 'renamed.txt')), '\n--- a/test.txt\n+++ b/renamed.txt\n'],
    ['another mode', () => git(repo, 'update-index', '--chmod=+x', 'test.txt'), '\n--- a/test.txt\n+++ b/test.txt\n'],
    [
      'a binary file',
      () => write(repo, 'b.bin', Buffer.from([0, 1, 2, 255])),
      '\n--- /dev/null\n+++ b/b.bin\nBinary files /dev/null and b/b.bin differ\n',
    ],
    [
      'what is no UTF-8',
      () => write(repo, 'latin.txt', Buffer.from('caf\xe9\n', 'latin1')),
      '\n--- /dev/null\n+++ b/latin.txt\n@@ -0,0 +1 @@\n+caf\ufffd\n',
    ],
  ])('shows %s in a patch', async (what, prepare, patch) => {
    prepare();
    if (what === 'another mode') git(repo, 'commit', '--quiet', '-m', 'subject');
    else commitAll(repo, 'subject');
    expect(await call('git_show', { revision: 'HEAD' })).toEqual(shown(header('    subject\n') + patch));
  });

  it('shows a first commit against nothing, as a patch that can be applied', async () => {
    const { text } = await call('git_show', { revision: 'HEAD' });
    expect(text).toBe(
      `${header('    initial commit\n')}\n--- /dev/null\n+++ b/test.txt\n@@ -0,0 +1,5 @@\n+line 1\n+line 2\n+line 3\n+line 4\n+line 5\n`,
    );
    write(repo, '../show.patch', text);
    expect(() => git(repo, 'apply', '-R', '--check', '../show.patch')).not.toThrow();
  });

  it('shows a file, and the names in a folder', async () => {
    write(repo, 'logic/infos.py', "print('infos')\n");
    commitAll(repo, 'add infos');
    expect(await call('git_show', { revision: 'HEAD:logic/infos.py' })).toEqual(shown("print('infos')\n"));
    expect(await call('git_show', { revision: 'HEAD:' })).toEqual(shown('logic/\ntest.txt'));
  });

  it.each([
    ['nope', "Ref 'nope' did not resolve to an object"],
    ['nope:test.txt', "Ref 'nope' did not resolve to an object"],
    ['HEAD:nope.txt', `"Blob or Tree named 'nope.txt' not found"`],
    ['HEAD:nope/x', `"Blob or Tree named 'nope' not found"`],
    ['HEAD:test.txt/x', `"Blob or Tree named 'test.txt/x' not found"`],
  ])('refuses %s', async (revision, message) => {
    expect(await call('git_show', { revision })).toEqual(refused('git_show', message));
  });

  it('cuts a file that is too long', async () => {
    write(repo, 'long.txt', 'ä'.repeat(MAX_OUTPUT_BYTES));
    commitAll(repo, 'long');
    expect(await call('git_show', { revision: 'HEAD:long.txt' })).toEqual(shown('ä'.repeat(MAX_OUTPUT_BYTES / 2) + CUT_NOTE));
  });
});

describe('git_branch', () => {
  it('lists local branches, those of remotes, and all', async () => {
    git(repo, 'branch', 'feature');
    git(place.folder, 'clone', '--quiet', 'repo', 'clone');
    const of = (type: string) => place.call('git_branch', { repo_path: join(place.folder, 'clone'), branch_type: type });
    expect(await call('git_branch', { branch_type: 'local' })).toEqual(shown('  feature\n* main'));
    expect(await of('remote')).toEqual(shown('  origin/HEAD -> origin/main\n  origin/feature\n  origin/main'));
    expect(await of('all')).toEqual(shown('* main\n  remotes/origin/HEAD -> origin/main\n  remotes/origin/feature\n  remotes/origin/main'));
  });

  it('lists those that contain a commit, or do not', async () => {
    git(repo, 'checkout', '--quiet', '-b', 'feature');
    const id = commitAll(repo, 'of feature');
    git(repo, 'checkout', '--quiet', 'main');
    expect(await call('git_branch', { branch_type: 'local', contains: id })).toEqual(shown('  feature'));
    expect(await call('git_branch', { branch_type: 'local', not_contains: id })).toEqual(shown('* main'));
  });

  it('refuses another type, and shows what git says of an unknown commit', async () => {
    expect(await call('git_branch', { branch_type: 'bogus' })).toEqual(refused('git_branch', 'Invalid branch type: bogus'));
    const message =
      "Cmd('git') failed due to: exit code(129)\n  cmdline: git branch --contains nope\n  stderr: 'error: malformed object name nope'";
    expect(await call('git_branch', { branch_type: 'local', contains: 'nope' })).toEqual(refused('git_branch', message));
  });
});
