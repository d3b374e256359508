/** Tests that names of files are shown as they are, and that every name that a tool shows can be given to a tool. */
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, commitAll, git, refused, Repositories, shown, write } from './repositories.fixture.js';

let place: Repositories;
let repo: string;

beforeEach(() => {
  place = new Repositories();
  repo = place.make();
});
afterEach(() => place.remove());

const call = (name: string, args: Record<string, string | string[]> = {}): Promise<Answer> =>
  place.call(name, { repo_path: repo, ...args });
const staged = (): string[] => git(repo, 'diff', '--cached', '--name-only', '-z').split('\0').filter(Boolean);
const status = async (): Promise<string[]> => (await call('git_status')).text.split('\n');

/** Each with another file that a pattern or git's magic would take for it. */
const NAMES = [
  ['Zoë.txt', 'Zo.txt'],
  ['🎉.txt', 'x.txt'],
  [':weird', 'weird'],
  [':!exclude', 'exclude'],
  [':(top)test.txt', 'other.txt'],
  ['-n', 'n'],
  ['--all', 'all'],
  ['[id].tsx', 'i.tsx'],
  ['*', 'other.txt'],
  ['a?b', 'axb'],
  ['say "hi".txt', 'say hi.txt'],
  ['"whole"', 'whole'],
  ['back\\slash', 'back/slash'],
  ['a tab\t.txt', 'a tab.txt'],
  [' space ', 'space'],
  ['a -> b', 'b'],
] as const;

describe.each(NAMES)('a file called %j', (name, other) => {
  beforeEach(() => {
    write(repo, name, 'x\n');
    write(repo, other, 'other\n');
  });

  it('is shown as it is, and staged alone by that name', async () => {
    expect(await status()).toContain(`\t${name}`);
    expect(await call('git_add', { files: [name] })).toEqual(shown('Files staged successfully'));
    expect(staged()).toEqual([name]);
    expect(await status()).toContain(`\tnew file:   ${name}`);
  });

  it('is shown by git_show, and staged when it is deleted', async () => {
    commitAll(repo, 'all');
    expect(await call('git_show', { revision: `HEAD:${name}` })).toEqual(shown('x\n'));
    expect((await call('git_show', { revision: 'HEAD:' })).text.split('\n')).toContain(name);
    for (const path of [name, other]) unlinkSync(join(repo, path));
    expect(await call('git_add', { files: [name] })).toEqual(shown('Files staged successfully'));
    expect(staged()).toEqual([name]);
  });
});

describe('a name with a line break', () => {
  const name = 'two\n"lines" — é';
  const quoted = '"two\\n\\"lines\\" — é"';

  it.each([name, quoted])('is shown as git quotes it, so that it is one line, and taken as %j', async (given) => {
    write(repo, name, 'x\n');
    expect(await status()).toContain(`\t${quoted}`);
    expect(await call('git_add', { files: [given] })).toEqual(shown('Files staged successfully'));
    expect(staged()).toEqual([name]);
    commitAll(repo, 'all');
    expect((await call('git_show', { revision: 'HEAD:' })).text.split('\n')).toContain(quoted);
    expect(await call('git_show', { revision: `HEAD:${given}` })).toEqual(shown('x\n'));
  });
});

it('shows a renamed file by both names', async () => {
  git(repo, 'mv', 'test.txt', 'Zoë "2".txt');
  expect(await status()).toContain('\trenamed:    test.txt -> Zoë "2".txt');
});

it('shows names of other alphabets in diffs', async () => {
  write(repo, 'ж.txt', 'x\n');
  git(repo, 'add', '.');
  expect((await call('git_diff_staged')).text).toContain('diff --git a/ж.txt b/ж.txt');
});

it.each([':weird', ':!test.txt', ':/', ':(exclude)test.txt', ':(top)'])(
  'takes %s for no magic when there is no such file',
  async (name) => {
    write(repo, 'new.txt', 'x\n');
    const stderr = `fatal: pathspec '${name}' did not match any files`;
    const message = `Cmd('git') failed due to: exit code(128)\n  cmdline: git add -- ${name}\n  stderr: '${stderr}'`;
    expect(await call('git_add', { files: [name] })).toEqual(refused('git_add', message));
    expect(staged()).toEqual([]);
  },
);
