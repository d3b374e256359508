/**
 * The reference server Git and ours, asked the same about equal repositories. What is committed while they are asked has the time
 * of that in its hash, so that those hashes and times are compared as such; all others are the same on both sides.
 */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, request } from '../everything/support/probe.js';
import { git, makeEqualRepositories } from './support/equal-repositories.js';
import { AS_TASKS, OF_PYTHON } from './support/meant-for-all.js';
import { ofPython } from './support/references.js';
import type { SideClient } from './support/side-client.js';
import { describeSideBySide, type MeantDifference, type SideProbe } from './support/side-by-side.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_PYTHON,
  AS_TASKS,
  {
    differs: 'a bare repository, or `.git` itself, is no repository',
    reason: 'A repository can be hidden in a working tree.',
    matches: /^git_\w+ \{"repo_path":"<place>\/(others\/bare\.git|\.git)".* › result\.(isError|content\.0\.text): .* ≠ (true|".*\.git")$/,
  },
  {
    differs: 'a `repo_path` that begins with `-` is refused as an option',
    reason: 'It could be one.',
    matches: /^git_status \{"repo_path":"--git-dir=x"\} › .* ≠ ".*Invalid repo_path: '--git-dir=x' - cannot start with '-'"$/,
  },
  {
    differs: 'numbers in texts are not numbers',
    reason: 'They are checked by another library.',
    matches: /^git_log .*, a number in a text › /,
  },
  {
    differs: 'a revision may end with a slash, as in `HEAD:src/`',
    reason: 'Revisions are what they are to git.',
    matches: /^git_show .*"HEAD:src\/"\} › /,
  },
  {
    differs: 'a commit that is too far back gets the text of all revisions that are not there',
    reason: 'What is asked is passed to git so that it can mean one thing only.',
    matches: /^git_diff .*"HEAD~50"\} › result\.content\.0\.text: .* ≠ ".*Ref 'HEAD~50' did not resolve to an object"$/,
  },
  {
    differs: 'invalid names of branches get one text',
    reason: 'What is asked is passed to git so that it can mean one thing only.',
    matches: /^git_create_branch .* › result\.content\.0\.text: "Error .* ≠ ".*: it is no name that a branch can have"$/,
  },
  {
    differs: 'a name below which there are branches is refused in the words of git',
    reason: 'The reference server shows what it did to files.',
    matches:
      /^git_create_branch .*"branch_name":"of"\}.* › result\.content\.0\.text: .*Is a directory.* ≠ ".*'refs\/heads\/of\/made' exists/,
  },
  {
    differs: '`HEAD` is no name that a branch can have',
    reason: 'So it is in git: nothing would find that branch.',
    matches: /^git_create_branch .*"branch_name":"HEAD","base_branch":"main"\}, refused › /,
  },
  {
    differs: 'the name of a new branch is what it is to git, also when it begins with `refs/heads/`',
    reason: 'The reference server says that it has made a branch of a name which it has not.',
    matches: /^git_branch .*, all that were made › result\.content\.0\.text: ".* y\\n.* ≠ ".* refs\/heads\/y\\n/,
  },
  {
    differs: 'a branch that is made from an annotated tag has the commit of that',
    reason: 'The reference server makes the tag itself a branch, which git calls broken.',
    matches: /^the state of the repository, \d+ › result\.(2\.\d+: "refs\/heads\/based-1 |4\.0: ".*refs\/heads\/based-1: not a commit)/,
  },
  {
    differs: 'without a commit there is nothing to unstage to, which is said of `HEAD`',
    reason: 'The reference server shows a command with a file of its own, and leaves the index broken.',
    matches:
      /^git_reset .*others\/unborn.* › result\.content\.0\.text: .*Not a valid object name HEAD.* ≠ ".*Ref 'HEAD' did not resolve to an object"$/,
  },
  {
    differs: 'a commit amid a conflict is refused in the words of git',
    reason: 'They name the files; the reference server shows a line of the index.',
    matches: /^git_commit .*others\/conflict.* › result\.content\.0\.text: .* ≠ ".*unmerged/,
  },
];

const REPO = '<place>';
const OTHERS = `${REPO}/others`;

/** Hashes and times of commits that were made meanwhile; those of the repository are of 2024. */
function sinceNow(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replace(/\b[0-9a-f]{40}\b/g, '<hash>')
    .replace(/\b20(?!24)\d\d-\d\d-\d\d \d\d:\d\d:\d\d/g, '<now>');
  return JSON.parse(text) as unknown;
}

const on = (tool: string, args: Record<string, unknown> = {}, note = '', repo_path: string = REPO): SideProbe =>
  call(tool, { repo_path, ...args }, {}, note);

let looked = 0;
/** The same where there are commits of now. */
const later = (tool: string, args: Record<string, unknown> = {}, repo_path: string = REPO): SideProbe => {
  looked += 1;
  const { name } = on(tool, args, `later ${looked}`, repo_path);
  return {
    name,
    run: async (client: SideClient) => sinceNow(await client.request('tools/call', { name: tool, arguments: { repo_path, ...args } })),
  };
};

const shown = (folder: string, args: readonly string[]): readonly string[] => {
  try {
    return git(folder, args).split('\n');
  } catch (error) {
    return [String(error)];
  }
};

/** What git itself says of both repositories. */
const state = (folder = ''): SideProbe => {
  looked += 1;
  return {
    name: `the state of ${folder === '' ? 'the repository' : folder}, ${looked}`,
    run: async ({ place }: SideClient) =>
      [
        ['status', '--porcelain', '--branch'],
        ['ls-files', '--stage'],
        ['for-each-ref', '--format=%(refname) %(objecttype) %(tree)'],
        ['log', '--all', '--format=%T %an %ae %cn %ce %s'],
        ['fsck', '--strict', '--no-dangling'],
      ].map((args) => shown(join(place, folder), args)),
  };
};

/** Something that somebody else does in both repositories. */
const meanwhile = (name: string, act: (folder: string) => void): SideProbe => ({ name, run: async ({ place }: SideClient) => act(place) });

const READING: readonly SideProbe[] = [
  on('git_status'),
  on('git_diff_unstaged'),
  on('git_diff_staged'),
  ...[
    'HEAD',
    'HEAD~1',
    'v1',
    'v2',
    'feature',
    'origin/main',
    'main..feature',
    'v1...feature',
    'HEAD^{tree}',
    'HEAD~50',
    'nothing',
    '',
    ' ',
    '--output=evil',
    '-p',
    'HEAD:test.txt',
    ':test.txt',
    'test.txt',
    'main@{0}',
    '@',
    'refs/heads/main',
    'HEAD^2',
  ].map((target) => on('git_diff', { target })),
  ...[0, 1, 100, -1].map((context_lines) => on('git_diff', { target: 'v1', context_lines })),
  ...[
    'HEAD',
    'HEAD~1',
    'HEAD^2',
    'HEAD~3',
    'HEAD~4',
    'v1',
    'v2',
    'feature',
    'origin/main',
    'HEAD:test.txt',
    'HEAD:src',
    'HEAD:',
    'HEAD^{tree}',
    'v2^{}',
    'HEAD:nothing',
    'HEAD:src/c.txt',
    'v1:latin1.txt',
    'HEAD:ünïcode.txt',
    'HEAD:with space.txt',
    'HEAD:binary.bin',
    'HEAD:empty.txt',
    'HEAD:no-newline.txt',
    'nothing',
    '',
    '--output=evil',
    'main..feature',
    ':/a subject',
    '@{-1}',
    '@',
    'HEAD@{0}',
    'HEAD:src/',
  ].map((revision) => on('git_show', { revision })),
  on('git_log'),
  ...[1, 3, 0, -1, 100].map((max_count) => on('git_log', { max_count })),
  ...['2024-03-01T12:02:30', '2024-03-01', '1 week ago', '2030-01-01', 'Mar 1 2024', 'nonsense', '', '--all', '-1'].flatMap((at) => [
    on('git_log', { start_timestamp: at }),
    on('git_log', { end_timestamp: at }),
  ]),
  on('git_log', { start_timestamp: '2024-03-01T12:02:00Z', end_timestamp: '2024-03-01T12:05:00Z', max_count: 2 }),
  on('git_log', { start_timestamp: null, end_timestamp: null }),
  ...['local', 'remote', 'all', 'LOCAL', '', '-D'].map((branch_type) => on('git_branch', { branch_type })),
  ...['v1', 'feature', 'HEAD', 'nothing', '', '-D', '--output=evil'].flatMap((at) => [
    on('git_branch', { branch_type: 'all', contains: at }),
    on('git_branch', { branch_type: 'local', not_contains: at }),
  ]),
  on('git_branch', { branch_type: 'local', contains: 'v1', not_contains: 'v2' }),
];

const PLACES: readonly SideProbe[] = [
  ...['empty', 'merging', 'conflict', 'bare.git', 'plain', 'missing'].flatMap((name) => [
    on('git_status', {}, '', `${OTHERS}/${name}`),
    on('git_log', {}, '', `${OTHERS}/${name}`),
    on('git_diff_staged', {}, '', `${OTHERS}/${name}`),
    on('git_diff_unstaged', {}, '', `${OTHERS}/${name}`),
    on('git_branch', { branch_type: 'all' }, '', `${OTHERS}/${name}`),
  ]),
  ...[
    '/',
    '/etc',
    '<place>/..',
    '<place>-evil',
    '',
    '.',
    '~',
    '$HOME',
    '<place>/test.txt',
    '<place>/src',
    '<place>/.git',
    '<place>/others/../',
    '--git-dir=x',
  ].map((path) => on('git_status', {}, '', path)),
];

const WRITING: readonly SideProbe[] = [
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

const BRANCHING: readonly SideProbe[] = [
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

const OTHERS_WRITING: readonly SideProbe[] = [
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

const WRONG: readonly SideProbe[] = [
  ...[
    'git_status',
    'git_diff_unstaged',
    'git_diff_staged',
    'git_diff',
    'git_commit',
    'git_add',
    'git_reset',
    'git_log',
    'git_create_branch',
    'git_checkout',
    'git_show',
    'git_branch',
  ].map((tool) => call(tool, {}, {}, 'wrong')),
  call('git_status', undefined, {}, 'wrong'),
  call('git_status', { repo_path: 1 }, {}, 'wrong'),
  on('git_add', { files: [] }, 'wrong'),
  on('git_add', { files: 'test.txt' }, 'wrong'),
  on('git_add', { files: [1] }, 'wrong'),
  on('git_log', { max_count: 1.5 }, 'wrong'),
  on('git_log', { max_count: '--all' }, 'wrong'),
  on('git_log', { max_count: null }, 'wrong'),
  on('git_diff', { target: 'HEAD', context_lines: '--output=evil' }, 'wrong'),
  on('git_diff', { target: null }, 'wrong'),
  on('git_branch', { branch_type: null }, 'wrong'),
  on('git_log', { max_count: '3' }, 'a number in a text'),
  on('git_status', { more: 1 }),
  call('no_such_tool', {}),
];

describeSideBySide({
  reference: ofPython('Git', 'mcp_server_git'),
  features: '@longhaul/reference-servers/git',
  settings(side, folder) {
    const place = join(folder, 'repo');
    makeEqualRepositories(place);
    return {
      place,
      ...(side === 'theirs' ? { args: ['--repository', place], env: { TZ: 'UTC' } } : { env: { LONGHAUL_GIT_ROOTS: place } }),
    };
  },
  probes: [request('tools/list'), ...READING, ...PLACES, ...WRITING, ...BRANCHING, ...OTHERS_WRITING, ...WRONG],
  meantDifferences: MEANT_DIFFERENCES,
});
