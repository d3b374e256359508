import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitUntil } from '../../../../test/support/wait-until.js';
import { type Answer, commitAll, git, head, refused, Repositories, shown, twice, write } from './repositories.fixture.js';

let place: Repositories;
let repo: string;

beforeEach(() => {
  place = new Repositories();
  repo = place.make();
});
afterEach(() => place.remove());

type Arguments = Record<string, string | string[]>;
const call = (name: string, args: Arguments = {}): Promise<Answer> => place.call(name, { repo_path: repo, ...args });
const callTwice = (name: string, args: Arguments = {}): Promise<Answer> => place.call(name, { repo_path: repo, ...args }, undefined, twice);
const staged = (): string[] => git(repo, 'diff', '--cached', '--name-only').split('\n').filter(Boolean);
const stage = (name: string, content = 'x\n'): void => {
  write(repo, name, content);
  git(repo, 'add', name);
};

const NOTHING_NEW = 'No changes were staged: the given paths had nothing new to stage. git_status shows what is modified or untracked.';
const NOTHING_STAGED = 'No changes staged for commit. Use git_add to stage changes first; git_status shows what is currently staged.';

describe('git_add', () => {
  it('stages files by their names, by absolute ones, by patterns, and all of them', async () => {
    for (const name of ['a.txt', 'b.txt', '-n', 'c.md', 'sub/d.md']) write(repo, name, 'x\n');
    for (const [files, expected] of [
      [['a.txt'], ['a.txt']],
      [[join(repo, 'b.txt')], ['a.txt', 'b.txt']],
      [['-n'], ['-n', 'a.txt', 'b.txt']],
      [['*.md'], ['-n', 'a.txt', 'b.txt', 'c.md', 'sub/d.md']],
    ] as const) {
      expect(await call('git_add', { files: [...files] })).toEqual(shown('Files staged successfully'));
      expect(staged()).toEqual(expected);
    }
    write(repo, 'e.txt', 'x\n');
    unlinkSync(join(repo, 'test.txt'));
    expect(await call('git_add', { files: ['.'] })).toEqual(shown('Files staged successfully'));
    expect(staged()).toContain('e.txt');
    expect(git(repo, 'ls-files')).not.toMatch(/^(test\.txt|\.git\b)/m);
  });

  it('says so when there was nothing new to stage', async () => {
    stage('a.txt');
    for (const files of [['.'], ['a.txt'], ['test.txt']]) expect(await call('git_add', { files })).toEqual(shown(NOTHING_NEW));
  });

  it('answers the same when the worker died after it had staged', async () => {
    write(repo, 'a.txt', 'x\n');
    expect(await callTwice('git_add', { files: ['a.txt'] })).toEqual(shown('Files staged successfully'));
  });

  it('shows what git says of a file that is not there, and refuses an empty list', async () => {
    const message =
      "Cmd('git') failed due to: exit code(128)\n  cmdline: git add -- nope.txt\n  stderr: 'fatal: pathspec 'nope.txt' did not match any files'";
    expect(await call('git_add', { files: ['nope.txt'] })).toEqual(refused('git_add', message));
    expect((await call('git_add', { files: [] })).isError).toBe(true);
  });

  it('shows the command of the reference server where a path is empty', async () => {
    const { text } = await call('git_add', { files: [''] });
    expect(text).toContain('\n  cmdline: git ls-files --stage -- \n');
  });
});

describe('git_reset', () => {
  it('unstages everything and leaves the files', async () => {
    stage('a.txt');
    stage('test.txt', 'edited\n');
    expect(await call('git_reset')).toEqual(shown('All staged changes reset'));
    expect(staged()).toEqual([]);
    expect(readFileSync(join(repo, 'test.txt'), 'utf8')).toBe('edited\n');
  });
});

describe('git_reset before the first commit', () => {
  it('unstages everything and leaves the files', async () => {
    git(repo, 'checkout', '--quiet', '--orphan', 'empty');
    stage('a.txt');
    for (const _time of ['once', 'again']) expect(await call('git_reset')).toEqual(shown('All staged changes reset'));
    expect(git(repo, 'ls-files')).toBe('');
    expect(readFileSync(join(repo, 'a.txt'), 'utf8')).toBe('x\n');
  });

  it('is not taken for a branch whose commit is missing', async () => {
    write(repo, '.git/refs/heads/main', `${'1'.repeat(40)}\n`);
    expect(await call('git_reset')).toEqual(refused('git_reset', "Ref 'HEAD' did not resolve to an object"));
    expect(git(repo, 'ls-files')).toBe('test.txt');
  });
});

describe('git_commit', () => {
  it('commits what is staged, with the message as it is and the author of the repository', async () => {
    stage('new.txt');
    const before = head(repo);
    const answer = await call('git_commit', { message: '  add new\n\n# no comment' });
    expect(answer).toEqual(shown(`Changes committed successfully with hash ${head(repo)}`));
    expect(git(repo, 'cat-file', '-p', 'HEAD')).toBe(
      `tree ${git(repo, 'rev-parse', 'HEAD^{tree}')}\nparent ${before}\nauthor Test User <test@example.com> 1700000000 +0000\ncommitter Test User <test@example.com> 1700000000 +0000\n\n  add new\n\n# no comment`,
    );
    expect(git(repo, 'status', '--porcelain')).toBe('');
    expect(git(repo, 'reflog', '-1', '--format=%gs')).toBe('commit: add new');
  });

  it('commits a message whose first line is too long for an argument', async () => {
    stage('new.txt');
    const message = 'x'.repeat(200_000);
    const answer = await call('git_commit', { message });
    expect(answer).toEqual(shown(`Changes committed successfully with hash ${head(repo)}`));
    expect(git(repo, 'log', '-1', '--format=%B')).toBe(`${message}\n`.trimEnd());
  });

  it('is there once when the worker died after each of its steps', async () => {
    stage('new.txt');
    const before = head(repo);
    expect(await callTwice('git_commit', { message: 'once' })).toEqual(shown(`Changes committed successfully with hash ${head(repo)}`));
    expect(git(repo, 'rev-parse', 'HEAD~1')).toBe(before);
  });

  it('is there once when the worker died, and somebody has committed or checked out something else since', async () => {
    for (const go of [() => commitAll(repo, 'of somebody else'), () => git(repo, 'checkout', '--quiet', '-b', 'other', 'HEAD~1')]) {
      stage(`new-${head(repo)}.txt`);
      const answer = await place.call('git_commit', { repo_path: repo, message: 'once' }, undefined, async (name, run) => {
        const step = { signal: new AbortController().signal, attempt: 1, idempotencyKey: name };
        const first = await run(step);
        if (name !== 'move the branch') return first;
        go();
        return run(step);
      });
      const [, id = ''] = /hash ([0-9a-f]+)$/.exec(answer.text) ?? [];
      expect(answer.isError).toBe(false);
      expect(git(repo, 'branch', '--contains', id)).toContain('main');
    }
    expect(git(repo, 'log', '--all', '--format=%s').match(/^once$/gm)).toHaveLength(2);
  });

  it('is there once when the git of the worker that died moves the branch while it is tried again', async () => {
    stage('new.txt');
    const ref = join(repo, '.git/refs/heads/main');
    let planned = '';
    const answer = await place.call('git_commit', { repo_path: repo, message: 'once' }, undefined, async (name, run) => {
      const step = { signal: new AbortController().signal, attempt: 1, idempotencyKey: name };
      if (name === 'write the commit') {
        const plan = await run(step);
        planned = (plan as unknown as { id: string }).id;
        return plan;
      }
      // As git moves a branch: what it writes into the lock becomes the branch.
      writeFileSync(`${ref}.lock`, `${planned}\n`, { flag: 'wx' });
      const again = run(step);
      await waitUntil(() => existsSync(join(repo, '.git/HEAD.lock')), { description: 'git waits for the branch, with HEAD locked' });
      renameSync(`${ref}.lock`, ref);
      return again;
    });
    expect(answer).toEqual(shown(`Changes committed successfully with hash ${planned}`));
    expect(git(repo, 'log', '--format=%s')).toBe('once\ninitial commit');
  });

  it('is made anew on what somebody else has committed between its steps', async () => {
    stage('new.txt');
    let others = 0;
    const answer = await place.call('git_commit', { repo_path: repo, message: 'mine' }, undefined, async (name, run) => {
      if (name === 'move the branch' && others++ === 0)
        git(repo, 'update-ref', 'HEAD', git(repo, 'commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'theirs'));
      return run({ signal: new AbortController().signal, attempt: 1, idempotencyKey: name });
    });
    expect(answer).toEqual(shown(`Changes committed successfully with hash ${head(repo)}`));
    expect(git(repo, 'log', '--format=%s')).toBe('mine\ntheirs\ninitial commit');
  });

  it('is refused when nothing is staged', async () => {
    write(repo, 'test.txt', 'edited\n');
    write(repo, 'new.txt', 'new\n');
    const before = head(repo);
    expect(await call('git_commit', { message: 'no' })).toEqual(refused('git_commit', NOTHING_STAGED));
    expect(head(repo)).toBe(before);
  });

  it('may be the first of its branch, but not without files', async () => {
    git(repo, 'checkout', '--quiet', '--orphan', 'empty');
    git(repo, 'rm', '--quiet', '-rf', '.');
    expect(await call('git_commit', { message: 'first' })).toEqual(refused('git_commit', NOTHING_STAGED));
    stage('a.txt');
    expect((await callTwice('git_commit', { message: 'first' })).isError).toBe(false);
    expect(git(repo, 'log', '--format=%s')).toBe('first');
  });

  it('without an author is refused with what to do', async () => {
    git(repo, 'config', '--unset', 'user.name');
    stage('a.txt');
    const { text, isError } = await call('git_commit', { message: 'mine' });
    expect([isError, text]).toEqual([true, expect.stringContaining('set user.name and user.email') as string]);
  });

  const startMerge = (...options: string[]): string => {
    git(repo, 'checkout', '--quiet', '-b', 'side');
    write(repo, 'side.txt', 'side\n');
    const side = commitAll(repo, 'side change');
    git(repo, 'checkout', '--quiet', 'main');
    if (options.length > 0) write(repo, 'test.txt', options.shift() ?? '');
    git(repo, 'merge', '--quiet', 'side', '--no-commit', '--no-ff', ...options);
    return side;
  };

  it('ends a merge, with both parents', async () => {
    const before = head(repo);
    const side = startMerge();
    git(repo, 'rm', '--quiet', '-f', 'side.txt'); // So that the commit changes nothing.
    expect(await callTwice('git_commit', { message: 'merge side' })).toEqual(
      shown(`Changes committed successfully with hash ${head(repo)}`),
    );
    expect(git(repo, 'log', '-1', '--format=%P')).toBe(`${before} ${side}`);
    for (const name of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE']) expect(existsSync(join(repo, '.git', name))).toBe(false);
  });

  it('ends a merge that has put changes aside, and brings them back', async () => {
    const dirty = 'line 1\nline 2\nline 3\nline 4\nline 5\ndirty\n';
    startMerge(dirty, '--autostash');
    expect((await call('git_commit', { message: 'merge side' })).text).toMatch(/hash [0-9a-f]{40}\nApplied autostash\.$/);
    expect(readFileSync(join(repo, 'test.txt'), 'utf8')).toBe(dirty);
    expect([existsSync(join(repo, '.git/MERGE_AUTOSTASH')), git(repo, 'stash', 'list')]).toEqual([false, '']);
  });

  it('ends a merge whose changes put aside cannot be brought back, and keeps them in the stash', async () => {
    startMerge('dirty\n', '--autostash');
    const id = readFileSync(join(repo, '.git/MERGE_AUTOSTASH'), 'utf8').trim();
    stage('test.txt', 'merged\n');
    expect((await call('git_commit', { message: 'merge side' })).text).toContain('\nApplying autostash resulted in conflicts.');
    expect(git(repo, 'rev-parse', 'stash@{0}')).toBe(id);
  });
});

describe('git_create_branch', () => {
  it('makes a branch from the present one or from another, and stays where it is', async () => {
    git(repo, 'branch', 'old');
    git(repo, 'tag', 'v1');
    commitAll(repo, 'second');
    expect(await call('git_create_branch', { branch_name: 'new' })).toEqual(shown("Created branch 'new' from 'main'"));
    expect(await call('git_create_branch', { branch_name: 'of/old', base_branch: 'old' })).toEqual(
      shown("Created branch 'of/old' from 'old'"),
    );
    expect(await call('git_create_branch', { branch_name: 'of-v1', base_branch: 'v1' })).toEqual(shown("Created branch 'of-v1' from 'v1'"));
    expect(git(repo, 'rev-parse', 'new', 'of/old', 'of-v1')).toBe(git(repo, 'rev-parse', 'main', 'main~1', 'main~1'));
    expect(git(repo, 'branch', '--show-current')).toBe('main');
  });

  it('answers the same when the worker died after it had made the branch', async () => {
    expect(await callTwice('git_create_branch', { branch_name: 'new' })).toEqual(shown("Created branch 'new' from 'main'"));
  });

  it('answers the same when the git of the worker that died makes the branch while it is tried again', async () => {
    const [ref, log] = ['refs', 'logs/refs'].map((kind) => join(repo, '.git', kind, 'heads/new')) as [string, string];
    const isGitWaiting = (): boolean =>
      execFileSync('ps', ['-ww', '-axo', 'args='], { encoding: 'utf8' })
        .split('\n')
        .some((args) => args.includes(repo) && args.includes('update-ref'));
    const answer = await place.call('git_create_branch', { repo_path: repo, branch_name: 'new' }, undefined, async (name, run) => {
      writeFileSync(`${ref}.lock`, `${head(repo)}\n`, { flag: 'wx' });
      const again = run({ signal: new AbortController().signal, attempt: 1, idempotencyKey: name });
      await waitUntil(isGitWaiting, { description: 'git waits for the branch' });
      writeFileSync(log, `${'0'.repeat(40)} ${head(repo)} A <a@b> 1700000000 +0000\tbranch: Created branch 'new' from 'main' (${name})\n`);
      renameSync(`${ref}.lock`, ref);
      return again;
    });
    expect(answer).toEqual(shown("Created branch 'new' from 'main'"));
  });

  it.each([
    [{ branch_name: 'main' }, "Cannot create branch 'main': refs/heads/main already exists"],
    [{ branch_name: 'new', base_branch: 'nope' }, 'No item found with id nope'],
    [{ branch_name: 'new', base_branch: 'main~1' }, 'No item found with id main~1'],
    [{ branch_name: 'a..b' }, "Invalid reference 'refs/heads/a..b': it is no name that a branch can have"],
    [{ branch_name: '@{-1}' }, "Invalid reference 'refs/heads/@{-1}': it is no name that a branch can have"],
  ])('refuses %j', async (args, message) => {
    git(repo, 'checkout', '--quiet', '-b', 'other');
    expect(await call('git_create_branch', args)).toEqual(refused('git_create_branch', message));
  });

  it('asks for a base when HEAD is no branch', async () => {
    git(repo, 'checkout', '--quiet', '--detach');
    const message = 'HEAD is detached, so there is no current branch to branch from; pass base_branch';
    expect(await call('git_create_branch', { branch_name: 'x' })).toEqual(refused('git_create_branch', message));
  });
});

describe('git_checkout', () => {
  it('switches to a branch', async () => {
    git(repo, 'branch', 'feature');
    expect(await call('git_checkout', { branch_name: 'feature' })).toEqual(shown("Switched to branch 'feature'"));
    expect(git(repo, 'branch', '--show-current')).toBe('feature');
  });

  it.each(['HEAD~1', '@{-1}', 'feature'])('goes to %s once when the worker died after it had switched', async (name) => {
    commitAll(repo, 'second');
    commitAll(repo, 'third');
    git(repo, 'branch', 'feature');
    git(repo, 'checkout', '--quiet', '-b', 'other');
    const id = git(repo, 'rev-parse', name);
    const answer = await callTwice('git_checkout', { branch_name: name });
    const branch = { '@{-1}': 'main', feature: 'feature' }[name];
    expect(answer).toEqual(shown(branch === undefined ? `HEAD is now detached at ${id.slice(0, 7)}` : `Switched to branch '${branch}'`));
    expect([head(repo), git(repo, 'branch', '--show-current')]).toEqual([id, branch ?? '']);
  });

  it.each(['HEAD~1', 'refs/heads/feature', 'v1'])('says that HEAD is no branch any more after %s', async (name) => {
    git(repo, 'branch', 'feature');
    git(repo, 'tag', 'v1');
    commitAll(repo, 'second');
    const id = git(repo, 'rev-parse', name);
    expect(await call('git_checkout', { branch_name: name })).toEqual(shown(`HEAD is now detached at ${id.slice(0, 7)}`));
  });

  it('refuses what is no revision, never takes a file for it, and shows what git says', async () => {
    expect(await call('git_checkout', { branch_name: 'nope' })).toEqual(refused('git_checkout', "Ref 'nope' did not resolve to an object"));
    git(repo, 'checkout', '--quiet', '-b', 'test.txt');
    write(repo, 'test.txt', 'of the branch\n');
    commitAll(repo, 'of the branch');
    git(repo, 'checkout', '--quiet', 'main', '--');
    write(repo, 'test.txt', 'edited\n');
    const { text } = await call('git_checkout', { branch_name: 'test.txt' });
    expect(text).toContain(
      "cmdline: git checkout test.txt\n  stderr: 'error: Your local changes to the following files would be overwritten by checkout:",
    );
    expect(readFileSync(join(repo, 'test.txt'), 'utf8')).toBe('edited\n');
  });
});
