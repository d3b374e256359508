/** Tests arguments of a hostile caller. */
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Answer,
  type Arguments,
  CALLS,
  type CallTool,
  git,
  head,
  oneRepository,
  refused,
  type Repositories,
  write,
} from './repositories.fixture.js';

let place: Repositories;
let root: string;
let repo: string;
let call: CallTool;

beforeEach(() => ({ place, root, repo, call } = oneRepository()));
afterEach(() => place.remove());

describe('an option in place of a value', () => {
  it.each<[string, Arguments, string]>([
    ...CALLS.map(([tool]): [string, Arguments, string] => [tool, { repo_path: '--git-dir=x' }, "Invalid repo_path: '--git-dir=x'"]),
    ['git_diff', { target: '--output=evil' }, "Invalid target: '--output=evil'"],
    ['git_show', { revision: '--output=evil' }, "Invalid revision: '--output=evil'"],
    ['git_checkout', { branch_name: '--orphan=evil' }, "Invalid branch name: '--orphan=evil'"],
    ['git_create_branch', { branch_name: '-f' }, "Invalid branch name: '-f'"],
    ['git_create_branch', { branch_name: 'x', base_branch: '--track' }, "Invalid base branch: '--track'"],
    ['git_log', { start_timestamp: '--output=evil' }, "Invalid start_timestamp: '--output=evil'"],
    ['git_log', { end_timestamp: '--all' }, "Invalid end_timestamp: '--all'"],
    ['git_branch', { branch_type: 'local', contains: '--output=evil' }, "Invalid contains value: '--output=evil'"],
    ['git_branch', { branch_type: 'local', not_contains: '-D' }, "Invalid not_contains value: '-D'"],
  ])('is refused by %s: %j', async (tool, args, message) => {
    const given = Object.fromEntries(CALLS)[tool] ?? {};
    expect(await call(tool, { ...given, ...args })).toEqual(refused(tool, `${message} - cannot start with '-'`));
    expect(readdirSync(repo)).toEqual(['.git', 'test.txt']);
  });

  it.each(['git_diff', 'git_show', 'git_checkout'])('is refused by %s also when there is a ref of that name', async (tool) => {
    writeFileSync(join(repo, '.git/refs/heads/--output=evil'), `${head(repo)}\n`);
    const name = { git_diff: 'target', git_show: 'revision', git_checkout: 'branch_name' }[tool] ?? '';
    expect((await call(tool, { [name]: '--output=evil' })).text).toContain("cannot start with '-'");
    expect((await call(tool, { [name]: 'heads/--output=evil' })).text).not.toContain('cannot start');
    expect(readdirSync(repo)).toEqual(['.git', 'test.txt']);
  });

  it('is a file where files are named, and a type that is none where a type is', async () => {
    const { text } = await call('git_add', { files: ['--chmod=+x', 'test.txt'] });
    expect(text).toContain("pathspec '--chmod=+x' did not match any files");
    expect(await call('git_branch', { branch_type: '-D' })).toEqual(refused('git_branch', 'Invalid branch type: -D'));
  });

  it('is a message where a message is', async () => {
    write(repo, 'a.txt', 'a\n');
    git(repo, 'add', '.');
    await call('git_commit', { message: '--amend' });
    expect(git(repo, 'log', '--format=%s')).toBe('--amend\ninitial commit');
  });
});

describe('a path outside of the allowed folders', () => {
  const outside = (path: string): Answer => refused('git_status', `Repository path '${path}' is outside the allowed repository '${root}'`);

  it.each(['..', '../root/../other', '/', '.'])('is refused: %s', async (path) => {
    place.make('other');
    const given = path.startsWith('..') ? `${root}/${path}` : path;
    expect(await call('git_status', { repo_path: given })).toEqual(outside(given));
  });

  it('is refused when it begins like an allowed one', async () => {
    const sibling = place.make('root-evil');
    expect(await call('git_status', { repo_path: sibling })).toEqual(outside(sibling));
  });

  it('is refused behind a link, in a folder that is one, and behind a link to what is not there yet', async () => {
    place.make('other');
    symlinkSync(join(place.folder, 'other'), join(root, 'link'));
    symlinkSync(place.folder, join(root, 'folder'));
    symlinkSync(join(place.folder, 'later'), join(root, 'dangling'));
    for (const name of ['link', 'folder/other', 'dangling'])
      expect(await call('git_status', { repo_path: join(root, name) })).toEqual(outside(join(root, name)));
  });

  it('is refused for files to stage: above, absolute, behind a link', async () => {
    write(place.folder, 'secret.txt', 'secret\n');
    symlinkSync(join(place.folder, 'secret.txt'), join(repo, 'link.txt'));
    symlinkSync('link-loop', join(repo, 'link-loop'));
    for (const file of ['../../secret.txt', join(place.folder, 'secret.txt'), 'link.txt', '../repo-evil'])
      expect(await call('git_add', { files: ['test.txt', file] })).toEqual(
        refused('git_add', `Path '${file}' is outside the repository '${repo}'`),
      );
    expect(await call('git_add', { files: ['link-loop'] })).toEqual(refused('git_add', "Invalid path: 'link-loop'"));
    expect(git(repo, 'diff', '--cached', '--name-only')).toBe('');
  });

  it('is not reached by variables and tildes in a path', async () => {
    for (const path of ['$HOME', '~', `${root}/$PATH`]) expect((await call('git_status', { repo_path: path })).isError).toBe(true);
  });
});
