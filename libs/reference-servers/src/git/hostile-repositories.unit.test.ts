/** Tests repositories that an attacker has made. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Arguments,
  CALLS,
  type CallTool,
  commitAll,
  git,
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

describe('a repository with parts outside of the allowed folders', () => {
  const expectRefused = async (tool = 'git_log', args: Arguments = {}): Promise<void> => {
    const { isError, text } = await call(tool, args);
    expect([isError, text]).toEqual([true, expect.stringContaining('leads to a place outside of the allowed folders') as string]);
  };
  let other: string;

  beforeEach(() => {
    other = place.make('other');
  });

  it('is refused when its git folder is a link, or a file that names another one', async () => {
    rmSync(join(repo, '.git'), { recursive: true });
    symlinkSync(join(other, '.git'), join(repo, '.git'));
    await expectRefused();
    rmSync(join(repo, '.git'));
    for (const named of [join(other, '.git'), '../../other/.git']) {
      writeFileSync(join(repo, '.git'), `gitdir: ${named}\n`);
      await expectRefused();
    }
  });

  it('is refused when it is a work tree of another one', async () => {
    git(other, 'worktree', 'add', '--quiet', join(root, 'tree'), '-b', 'tree');
    await expectRefused('git_log', { repo_path: join(root, 'tree') });
    writeFileSync(join(repo, '.git/commondir'), '../../../other/.git\n');
    await expectRefused();
  });

  it.each(['HEAD', 'config', 'index', 'objects', 'refs', 'refs/heads/main', 'logs/HEAD', 'logs/refs/heads', 'packed-refs', 'info'])(
    'is refused when its %s is a link to there',
    async (part) => {
      git(other, 'pack-refs', '--all');
      rmSync(join(repo, '.git', part), { recursive: true, force: true });
      symlinkSync(join(other, '.git', part), join(repo, '.git', part));
      await expectRefused();
    },
  );

  it.each([
    ['HEAD', 'git_commit', 'refs/heads/../../../../evil/new'],
    ['HEAD', 'git_commit', '/tmp/evil'],
    ['HEAD', 'git_status', 'evil'],
    ['refs/heads/evil', 'git_create_branch', 'refs/heads/../../../../evil/new'],
    ['refs/heads/deep/evil', 'git_log', 'refs/./heads/main'],
    ['ORIG_HEAD', 'git_reset', 'refs/heads/../../../../evil/new'],
    ['FETCH_HEAD', 'git_log', `refs/heads/${'x'.repeat(5_000)}`],
  ])('is refused when its %s says that it is a ref elsewhere, by %s', async (ref, tool, target) => {
    const path = join(repo, '.git', ref);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `ref: ${target}\n`);
    const args = tool === 'git_commit' ? { message: 'evil' } : tool === 'git_create_branch' ? { branch_name: 'evil' } : {};
    await expectRefused(tool, args);
    expect(existsSync(join(place.folder, 'evil'))).toBe(false);
  });

  it('is refused when one of its objects is a link to there', async () => {
    const folder = readdirSync(join(other, '.git/objects')).find((name) => name.length === 2) ?? '';
    const [object = ''] = readdirSync(join(other, '.git/objects', folder));
    mkdirSync(join(repo, '.git/objects/ff'), { recursive: true });
    symlinkSync(join(other, '.git/objects', folder, object), join(repo, '.git/objects/ff', object));
    await expectRefused('git_log');
  });

  it.each<[string, () => string]>([
    ['there', () => join(other, '.git/objects')],
    ['there, by a relative path', () => '../../../../other/.git/objects'],
    [
      'in an allowed folder that has its own from there',
      () => {
        const between = place.make('root/between');
        writeFileSync(join(between, '.git/objects/info/alternates'), `${join(other, '.git/objects')}\n`);
        return join(between, '.git/objects');
      },
    ],
  ])('is refused when it takes objects from %s', async (_what, alternate) => {
    writeFileSync(join(repo, '.git/objects/info/alternates'), `# a comment\n${alternate()}\n`);
    await expectRefused();
  });

  it('is refused when it has a submodule there, or one would be staged', async () => {
    git(repo, 'submodule', '--quiet', 'add', other, 'sub');
    commitAll(repo, 'with a submodule');
    rmSync(join(repo, 'sub/.git'));
    writeFileSync(join(repo, 'sub/.git'), `gitdir: ${join(other, '.git')}\n`);
    for (const tool of ['git_status', 'git_diff_unstaged']) await expectRefused(tool);
    await expectRefused('git_add', { files: ['.'] });
    git(repo, 'rm', '--quiet', '-f', '--cached', 'sub');
    await expectRefused('git_add', { files: ['.'] });
    expect(git(repo, 'ls-files', '--stage')).not.toContain('160000');
  });

  it('is never looked for elsewhere: neither in core.worktree nor above a folder', async () => {
    git(repo, 'config', 'core.worktree', other);
    write(other, 'secret.txt', 'secret\n');
    expect((await call('git_status')).text).not.toContain('secret.txt');
    await call('git_add', { files: ['.'] });
    expect(git(repo, '--work-tree=.', 'ls-files')).not.toContain('secret.txt');
    git(place.folder, 'init', '--quiet');
    mkdirSync(join(root, 'plain'));
    expect(await call('git_status', { repo_path: join(root, 'plain') })).toEqual(refused('git_status', join(root, 'plain')));
  });

  it('is refused when its configuration includes a file, also on some branches only', async () => {
    for (const section of ['include', 'includeIf "onbranch:other"']) {
      const config = readFileSync(join(repo, '.git/config'), 'utf8');
      appendFileSync(join(repo, '.git/config'), `[${section}]\n\tpath = ${join(other, '.git/config')}\n`);
      expect((await call('git_log')).text).toMatch(/configuration includes other files \(include/);
      writeFileSync(join(repo, '.git/config'), config);
    }
  });

  it('is refused when it is bare, as one that lies among the files of another may be', async () => {
    git(repo, 'clone', '--quiet', '--bare', '.', 'bare.git');
    const bare = join(repo, 'bare.git');
    const { isError, text } = await call('git_log', { repo_path: bare });
    expect({ isError, text }).toEqual({
      isError: true,
      text: `Error executing tool git_log: '${bare}' is inside the repository '${repo}': pass that as repo_path`,
    });
    const alone = join(place.folder, 'root', 'alone.git');
    git(repo, 'clone', '--quiet', '--bare', '.', alone);
    expect(await call('git_log', { repo_path: alone })).toEqual(refused('git_log', alone));
  });
});

describe('a repository that would run programs', () => {
  let marker: string;
  let program: string;

  beforeEach(() => {
    marker = join(place.folder, 'it-ran');
    program = join(place.folder, 'evil.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>'${marker}'\ncat\n`);
    chmodSync(program, 0o755);
    // Something to do for every tool: a branch to switch to, changes that are staged, and changes that are not.
    git(repo, 'checkout', '--quiet', '-b', 'other');
    write(repo, '.gitattributes', '* filter=evil diff=evil merge=evil\n');
    write(repo, 'other.txt', 'other\n');
    commitAll(repo, 'of the other');
    git(repo, 'checkout', '--quiet', 'main');
    write(repo, '.gitattributes', '* filter=evil diff=evil merge=evil\n');
    commitAll(repo, 'attributes');
    write(repo, 'staged.txt', 'staged\n');
    git(repo, 'add', '.');
    write(repo, 'test.txt', 'changed\n');
    write(repo, 'new.txt', 'new\n');
  });

  const configure = (...settings: readonly (readonly [string, string])[]): void => {
    for (const [name, value] of settings) git(repo, 'config', '--add', name, value);
  };

  const runEveryTool = async (): Promise<void> => {
    for (const [tool, args] of CALLS) expect(await call(tool, args)).toMatchObject({ isError: false });
  };

  it.each<[string, () => void, (() => void) | undefined]>([
    ['core.fsmonitor', () => configure(['core.fsmonitor', program]), () => git(repo, 'status')],
    ['diff.external', () => configure(['diff.external', program]), () => git(repo, 'diff')],
    ['the driver of a diff', () => configure(['diff.evil.command', program]), () => git(repo, 'diff')],
    ['a conversion of a diff', () => configure(['diff.evil.textconv', program]), () => git(repo, 'diff')],
    [
      'the filters',
      () => configure(['filter.evil.clean', program], ['filter.evil.smudge', program], ['filter.evil.required', 'true']),
      () => git(repo, 'add', '.'),
    ],
    ['a filter process', () => configure(['filter.evil.process', program], ['filter.evil.required', 'true']), () => git(repo, 'add', '.')],
    [
      'filters whose names are no words',
      () => {
        const name = 'a=b .c"d';
        appendFileSync(join(repo, '.git/info/attributes'), '* filter=a=b\n');
        configure([`filter.${name}.clean`, program], ['filter.a=b.clean', program], ['FILTER.a=b.Process', program]);
      },
      () => git(repo, 'add', '.'),
    ],
    [
      'hooks',
      () => {
        for (const name of ['pre-commit', 'post-commit', 'post-checkout', 'reference-transaction', 'post-index-change', 'commit-msg'])
          symlinkSync(program, join(repo, '.git/hooks', name));
      },
      () => git(repo, 'update-ref', 'refs/heads/probe', 'HEAD'),
    ],
    [
      'core.hooksPath',
      () => {
        mkdirSync(join(repo, '.hooks'));
        for (const name of ['post-checkout', 'reference-transaction', 'post-index-change'])
          writeFileSync(join(repo, '.hooks', name), readFileSync(program), { mode: 0o755 });
        configure(['core.hooksPath', '.hooks']);
      },
      () => git(repo, 'update-ref', 'refs/heads/probe', 'HEAD'),
    ],
    ['core.pager', () => configure(['core.pager', program], ['pager.log', program], ['pager.status', program]), undefined],
    [
      'signatures',
      () => configure(['commit.gpgSign', 'true'], ['log.showSignature', 'true'], ['gpg.program', program], ['gpg.ssh.program', program]),
      () => git(repo, 'commit', '-S', '--allow-empty', '-m', 'x'),
    ],
    ['core.editor', () => configure(['core.editor', program], ['sequence.editor', program]), undefined],
    ['aliases', () => configure(['alias.status', `!${program}`], ['alias.add', `!${program}`]), undefined],
    [
      'commands for refs',
      () =>
        configure(
          ['core.alternateRefsCommand', program],
          ['core.sshCommand', program],
          ['core.askPass', program],
          ['credential.helper', program],
        ),
      undefined,
    ],
  ])('runs none of %s', async (_what, prepare, provoke) => {
    prepare();
    if (provoke !== undefined) {
      // It is one that git runs, unless it is kept from it.
      try {
        provoke();
      } catch {
        // What it makes of it does not matter.
      }
      expect(existsSync(marker)).toBe(true);
      rmSync(marker);
    }
    git(repo, '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'update-ref', '-d', 'refs/heads/probe');
    await runEveryTool();
    expect(existsSync(marker)).toBe(false);
  });

  it('runs no program of a remote when objects are missing', async () => {
    configure(
      ['extensions.partialClone', 'origin'],
      ['remote.origin.promisor', 'true'],
      ['remote.origin.url', `file://${repo}`],
      ['remote.origin.uploadpack', program],
    );
    configure(['core.repositoryFormatVersion', '1'], ['protocol.file.allow', 'always'], ['protocol.ext.allow', 'always']);
    const blob = git(repo, 'rev-parse', 'other:other.txt');
    rmSync(join(repo, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    expect(await call('git_show', { revision: 'other' })).toMatchObject({ isError: true });
    expect(await call('git_diff', { target: 'other' })).toMatchObject({ isError: true });
    await call('git_checkout', { branch_name: 'other' }); // Git leaves out the file.
    expect(existsSync(marker)).toBe(false);
  });

  it('runs nothing in submodules, whose configuration is their own', async () => {
    const inner = place.make('root/inner');
    git(repo, 'submodule', '--quiet', 'add', inner, 'sub');
    git(join(repo, 'sub'), 'config', 'filter.evil.clean', program);
    write(join(repo, 'sub'), '.gitattributes', '* filter=evil\n');
    configure(
      ['diff.submodule', 'log'],
      ['status.submoduleSummary', 'true'],
      ['submodule.recurse', 'true'],
      ['diff.ignoreSubmodules', 'none'],
    );
    write(join(repo, 'sub'), 'test.txt', 'LINE 1\nline 2\nline 3\nline 4\nline 5\n');
    git(repo, 'status');
    expect(existsSync(marker)).toBe(true);
    rmSync(marker);
    await runEveryTool();
    expect(existsSync(marker)).toBe(false);
  });

  it('runs no driver when a merge brings back what it has put aside', async () => {
    git(repo, 'stash', 'push', '--quiet', '--include-untracked');
    git(repo, 'checkout', '--quiet', '-b', 'side', 'HEAD~1');
    write(repo, 'side.txt', 'side\n');
    commitAll(repo, 'side');
    git(repo, 'checkout', '--quiet', 'main');
    write(repo, 'test.txt', 'mine\nline 2\nline 3\nline 4\nline 5\n');
    git(repo, 'merge', '--quiet', 'side', '--no-commit', '--no-ff', '--autostash');
    write(repo, 'test.txt', 'line 1\nline 2\nline 3\nline 4\ntheirs\n');
    git(repo, 'add', 'test.txt');
    configure(['merge.evil.driver', program]);
    expect((await call('git_commit', { message: 'merge' })).text).toContain('autostash');
    expect(existsSync(marker)).toBe(false);
  });

  it('inherits no variables for git', async () => {
    const other = place.make('other');
    const inherited = {
      GIT_DIR: join(other, '.git'),
      GIT_EXTERNAL_DIFF: program,
      GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${program}'`,
      GIT_PAGER: program,
    };
    Object.assign(process.env, inherited);
    try {
      await runEveryTool();
    } finally {
      for (const name of Object.keys(inherited)) delete process.env[name];
    }
    expect(existsSync(marker)).toBe(false);
  });
});

describe('a repository that somebody else writes to', () => {
  it('is written to after that, and says which file is in the way if that takes too long', async () => {
    const lock = join(repo, '.git/index.lock');
    write(repo, 'a.txt', 'a\n');
    writeFileSync(lock, '');
    const adding = call('git_add', { files: ['a.txt'] });
    // By now it has found the lock: this takes as many commands.
    await call('git_status');
    await call('git_status');
    renameSync(lock, join(repo, 'unlocked'));
    expect(await adding).toMatchObject({ isError: false });
  });
});
