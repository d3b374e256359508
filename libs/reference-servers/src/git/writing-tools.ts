import type { Tool } from '@longhaul/mcp-features';
import { z } from 'zod';
import { ToolFailure } from '../tool-results.js';
import { checkOut, createBranch, departureTo } from './branches.js';
import { planCommit, recordCommit } from './commit.js';
import { durableGitTool, writes } from './durable-git-tool.js';
import { digestOfStaged, stageFiles, unstageAll } from './staging.js';
import { withSubmodules } from './submodules.js';
import { optionalText, REPO_PATH, text } from './tool-arguments.js';

/** How often a commit is repeated because others have committed in between. */
const MAX_PLANS = 50;

export function commitTool(roots: readonly string[]): Tool {
  const name = 'git_commit';
  return durableGitTool(
    {
      name,
      description: 'Records changes to the repository',
      input: z.object({ ...REPO_PATH, message: text('Message') }).meta({ title: 'commitArguments' }),
      annotations: writes({ destructiveHint: false, idempotentHint: false }),
      async run({ message }, context, inRepository) {
        for (let plans = 0; plans < MAX_PLANS; plans++) {
          const atMs = context.now();
          const planned = await context.step(
            'write the commit',
            inRepository((repository) => planCommit(repository, message, atMs)),
          );
          const recorded = await context.step(
            'move the branch',
            inRepository((repository) => recordCommit(repository, planned)),
          );
          if (recorded !== undefined) return recorded;
        }
        throw new ToolFailure(name, `Nothing was committed: others have committed in between ${MAX_PLANS} times. Try again.`);
      },
    },
    roots,
  );
}

export function addTool(roots: readonly string[]): Tool {
  return durableGitTool(
    {
      name: 'git_add',
      description: 'Adds file contents to the staging area',
      input: z.object({ ...REPO_PATH, files: z.array(z.string()).min(1).meta({ title: 'Files' }) }).meta({ title: 'addArguments' }),
      annotations: writes({ destructiveHint: false, idempotentHint: true }),
      async run({ files }, context, inRepository) {
        // Recorded: otherwise, if files were staged before a worker died, the retry would report that there is nothing to stage.
        const before = await context.step(
          'look',
          inRepository((repository) => digestOfStaged(repository, files)),
        );
        return context.step(
          'stage',
          inRepository((repository) => stageFiles(repository, { files, before, roots })),
        );
      },
    },
    roots,
  );
}

export function resetTool(roots: readonly string[]): Tool {
  return durableGitTool(
    {
      name: 'git_reset',
      description: 'Unstages all staged changes',
      input: z.object(REPO_PATH).meta({ title: 'resetArguments' }),
      annotations: writes({ destructiveHint: true, idempotentHint: true }),
      run: (_args, context, inRepository) => context.step('reset', inRepository(unstageAll)),
    },
    roots,
  );
}

export function createBranchTool(roots: readonly string[]): Tool {
  return durableGitTool(
    {
      name: 'git_create_branch',
      description: 'Creates a new branch from an optional base branch',
      input: z
        .object({ ...REPO_PATH, branch_name: text('Branch Name'), base_branch: optionalText('Base Branch') })
        .meta({ title: 'create_branchArguments' }),
      annotations: writes({ destructiveHint: false, idempotentHint: false }),
      run: ({ branch_name: name, base_branch: base }, context, inRepository) =>
        context.step(
          'create',
          inRepository((repository, { idempotencyKey }) => createBranch(repository, name, base, idempotencyKey)),
        ),
    },
    roots,
  );
}

export function checkoutTool(roots: readonly string[]): Tool {
  return durableGitTool(
    {
      name: 'git_checkout',
      description: 'Switches branches',
      input: z.object({ ...REPO_PATH, branch_name: text('Branch Name') }).meta({ title: 'checkoutArguments' }),
      annotations: writes({ destructiveHint: false, idempotentHint: false }),
      async run({ branch_name: name }, context, inRepository) {
        const departure = await context.step(
          'look',
          inRepository((repository) => departureTo(repository, name)),
        );
        return context.step(
          'check out',
          inRepository(async (repository) => checkOut(await withSubmodules(repository, roots), name, departure)),
        );
      },
    },
    roots,
  );
}
