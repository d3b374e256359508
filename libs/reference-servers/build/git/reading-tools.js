import { z } from 'zod';
import { listBranches } from './branches.js';
import { showDiff, showDiffWith } from './diff.js';
import { durableGitTool, READ_ONLY } from './durable-git-tool.js';
import { showLog } from './log.js';
import { show } from './show.js';
import { withSubmodules } from './submodules.js';
import { optionalText, REPO_PATH, text, timestamp, wholeNumber } from './tool-arguments.js';
const DIFFED = { ...REPO_PATH, context_lines: wholeNumber('Context Lines', 3) };
export function statusTool(roots) {
    const input = z.object(REPO_PATH).meta({ title: 'statusArguments' });
    return durableGitTool({
        name: 'git_status',
        description: 'Shows the working tree status',
        input,
        annotations: READ_ONLY,
        run: (_args, context, inRepository) => context.step('status', inRepository(async (repository) => {
            const looked = await withSubmodules(repository, roots);
            return `Repository status:\n${await looked.text(['status', '--ignore-submodules=dirty'], { shownAs: ['status'] })}`;
        })),
    }, roots);
}
export function unstagedTool(roots) {
    return durableGitTool({
        name: 'git_diff_unstaged',
        description: 'Shows changes in the working directory that are not yet staged',
        input: z.object(DIFFED).meta({ title: 'diff_unstagedArguments' }),
        annotations: READ_ONLY,
        run: ({ context_lines: lines }, context, inRepository) => context.step('diff', inRepository(async (repository) => {
            return `Unstaged changes:\n${await showDiff(await withSubmodules(repository, roots), lines)}`;
        })),
    }, roots);
}
export function stagedTool(roots) {
    return durableGitTool({
        name: 'git_diff_staged',
        description: 'Shows changes that are staged for commit',
        input: z.object(DIFFED).meta({ title: 'diff_stagedArguments' }),
        annotations: READ_ONLY,
        run: ({ context_lines: lines }, context, inRepository) => context.step('diff', inRepository(async (repository) => `Staged changes:\n${await showDiff(repository, lines, '--cached')}`)),
    }, roots);
}
export function diffTool(roots) {
    const { repo_path, context_lines } = DIFFED;
    return durableGitTool({
        name: 'git_diff',
        description: 'Shows differences between branches or commits',
        input: z.object({ repo_path, target: text('Target'), context_lines }).meta({ title: 'diffArguments' }),
        annotations: READ_ONLY,
        run: ({ target, context_lines: lines }, context, inRepository) => context.step('diff', inRepository(async (repository) => {
            return `Diff with ${target}:\n${await showDiffWith(await withSubmodules(repository, roots), target, lines)}`;
        })),
    }, roots);
}
export function logTool(roots) {
    return durableGitTool({
        name: 'git_log',
        description: 'Shows the commit logs',
        input: z
            .object({
            ...REPO_PATH,
            max_count: wholeNumber('Max Count', 10),
            start_timestamp: timestamp('Start'),
            end_timestamp: timestamp('End'),
        })
            .meta({ title: 'logArguments' }),
        annotations: READ_ONLY,
        run: (range, context, inRepository) => context.step('log', inRepository(async (repository) => `Commit history:\n${await showLog(repository, range)}`)),
    }, roots);
}
export function showTool(roots) {
    return durableGitTool({
        name: 'git_show',
        description: 'Shows the contents of a commit, or of a file or directory given as <revision>:<path>',
        input: z.object({ ...REPO_PATH, revision: text('Revision') }).meta({ title: 'showArguments' }),
        annotations: READ_ONLY,
        run: ({ revision }, context, inRepository) => context.step('show', inRepository((repository) => show(repository, revision))),
    }, roots);
}
export function branchTool(roots) {
    const which = (title, word) => optionalText(title, `The commit sha that branch should ${word}. Do not pass anything to this param if no commit sha is specified`);
    const type = "Whether to list local branches ('local'), remote branches ('remote') or all branches('all').";
    return durableGitTool({
        name: 'git_branch',
        description: 'List Git branches',
        input: z
            .object({
            repo_path: text('Repo Path', 'The path to the Git repository.'),
            branch_type: text('Branch Type', type),
            contains: which('Contains', 'contain'),
            not_contains: which('Not Contains', 'NOT contain'),
        })
            .meta({ title: 'branchArguments' }),
        annotations: READ_ONLY,
        run: (filter, context, inRepository) => context.step('branch', inRepository((repository) => listBranches(repository, filter))),
    }, roots);
}
//# sourceMappingURL=reading-tools.js.map