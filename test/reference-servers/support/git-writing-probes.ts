/** What changes the repositories, in the order in which it is asked. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './equal-repositories.js';
import { later, meanwhile, on, OTHERS, state } from './git-probes.js';
import type { SideProbe } from './side-by-side.js';

export const WRITING: readonly SideProbe[] = [
  on('git_commit', { message: 'nothing to commit' }),
  on('git_add', { files: ['.'] }),
  on('git_add', { files: ['test.txt'] }),
  meanwhile('files are changed', (folder) => {
    writeFileSync(join(folder, 'test.txt'), 'all other\n');
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    writeFileSync(join(folder, '-dash.txt'), 'dash\n');
    writeFileSync(join(folder, 'ignored.o'), 'ignored\n');
    writeFileSync(join(folder, '.gitignore'), '/others/\n*.o\n');
    symlinkSync('/etc/passwd', join(folder, 'outside'));
  }),
  on('git_status', {}, 'changed'),
  ...[undefined, 0, 1].map((context_lines) =>
    on('git_diff_unstaged', { ...(context_lines !== undefined && { context_lines }) }, 'changed'),
  ),
  on('git_diff', { target: 'HEAD' }, 'changed'),
  ...[
    ['missing.txt'],
    ['../other.txt'],
    ['/etc/passwd'],
    ['outside'],
    ['new.txt', '../x'],
    ['ignored.o'],
    [''],
    ['--chmod=+x'],
    ['-dash.txt'],
    ['*.none'],
    [':(top)missing'],
    ['.git/config'],
  ].map((files) => on('git_add', { files })),
  state(),
  on('git_add', { files: ['test.txt', 'new.txt'] }, 'changed'),
  on('git_add', { files: ['test.txt'] }, 'again'),
  on('git_status', {}, 'staged'),
  on('git_diff_staged', {}, 'staged'),
  on('git_diff_staged', { context_lines: 0 }, 'staged'),
  on('git_reset'),
  on('git_reset', {}, 'again'),
  state(),
  on('git_add', { files: ['*.txt'] }),
  later('git_commit', { message: 'a commit\n\nwith a body — and ünïcode' }),
  later('git_commit', { message: 'once more' }),
  on('git_status', {}, 'committed'),
  later('git_log', { max_count: 2 }),
  later('git_show', { revision: 'HEAD' }),
  later('git_diff', { target: 'HEAD~1' }),
  state(),
  on('git_add', { files: ['.gitignore'] }),
  later('git_commit', { message: '' }),
  later('git_log', { max_count: 1 }),
  meanwhile('the rest is removed', (folder) => void git(folder, ['clean', '--quiet', '--force'])),
];

export const BRANCHING: readonly SideProbe[] = [
  ...['made', 'of/made', 'main', 'made', 'feature', '-f', '--orphan=x', '', ' ', 'a b', 'a..b', 'x.lock', '@', 'ünï', 'of'].map(
    (branch_name, index) => on('git_create_branch', { branch_name }, `branch ${index}`),
  ),
  ...['v1', 'v2', 'feature', 'origin/main', 'HEAD', 'HEAD~1', 'nothing', '', '--track', 'refs/heads/main', 'main'].map(
    (base_branch, index) => on('git_create_branch', { branch_name: `based-${index}`, base_branch }),
  ),
  on('git_create_branch', { branch_name: 'null-based', base_branch: null }),
  ...[
    'made',
    'main',
    'main',
    'v1',
    'v2',
    'HEAD~1',
    'feature',
    'origin/main',
    'elsewhere',
    'nothing',
    '',
    '-',
    '--orphan=x',
    '-b',
    'test.txt',
    'refs/heads/feature',
    'HEAD',
    '@{-1}',
    'heads/feature',
    'main',
  ].map((branch_name) => later('git_checkout', { branch_name })),
  state(),
  later('git_checkout', { branch_name: 'v1' }),
  on('git_status', {}, 'detached'),
  on('git_create_branch', { branch_name: 'of-detached' }),
  on('git_create_branch', { branch_name: 'of-detached', base_branch: 'feature' }),
  on('git_log', {}, 'detached'),
  meanwhile('a file is in the way', (folder) => writeFileSync(join(folder, 'feature.txt'), 'in the way\n')),
  later('git_checkout', { branch_name: 'feature' }),
  state(),
  on('git_create_branch', { branch_name: 'refs/heads/y', base_branch: 'main' }),
  on('git_branch', { branch_type: 'local', contains: 'v2' }, 'all that were made'),
  on('git_create_branch', { branch_name: 'HEAD', base_branch: 'main' }, 'refused'),
];

export const OTHERS_WRITING: readonly SideProbe[] = [
  later('git_commit', { message: 'ends the merge' }, `${OTHERS}/merging`),
  later('git_log', {}, `${OTHERS}/merging`),
  later('git_show', { revision: 'HEAD' }, `${OTHERS}/merging`),
  state('others/merging'),
  later('git_commit', { message: 'nothing' }, `${OTHERS}/empty`),
  on('git_create_branch', { branch_name: 'x' }, '', `${OTHERS}/empty`),
  on('git_show', { revision: 'HEAD' }, '', `${OTHERS}/empty`),
  on('git_diff', { target: 'HEAD' }, '', `${OTHERS}/empty`),
  meanwhile('the empty one gets a file', (folder) => writeFileSync(join(folder, 'others/empty/first.txt'), 'first\n')),
  on('git_add', { files: ['.'] }, '', `${OTHERS}/empty`),
  on('git_diff_staged', {}, 'a file', `${OTHERS}/empty`),
  later('git_commit', { message: 'the first' }, `${OTHERS}/empty`),
  later('git_log', {}, `${OTHERS}/empty`),
  state('others/empty'),
  on('git_reset', {}, '', `${OTHERS}/unborn`),
  later('git_commit', { message: 'a conflict' }, `${OTHERS}/conflict`),
  on('git_add', { files: ['test.txt'] }, '', `${OTHERS}/conflict`),
  later('git_commit', { message: 'no conflict' }, `${OTHERS}/conflict`),
  later('git_show', { revision: 'HEAD' }, `${OTHERS}/conflict`),
  state('others/conflict'),
];
