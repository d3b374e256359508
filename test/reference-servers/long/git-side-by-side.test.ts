/**
 * Compares the reference server Git with ours, with the same calls on equal repositories. A new commit has its time in its hash, so only
 * the form of its hash and time is compared. All other hashes and times are equal on both sides.
 */
import { join } from 'node:path';
import { request } from '../../everything/support/probe.js';
import { makeEqualRepositories } from '../support/equal-repositories.js';
import { PLACES, READING, WRONG } from '../support/git-reading-probes.js';
import { BRANCHING, OTHERS_WRITING, WRITING } from '../support/git-writing-probes.js';
import { AS_TASKS, OF_PYTHON } from '../support/meant-for-all.js';
import { ofPython } from '../support/references.js';
import { describeSideBySide, type MeantDifference } from '../support/side-by-side.js';

const MEANT_DIFFERENCES: readonly MeantDifference[] = [
  ...OF_PYTHON,
  AS_TASKS,
  {
    differs: 'a bare repository, or `.git` itself, is no repository',
    reason: 'A repository can be hidden in a working tree.',
    matches:
      /^git_\w+ \{"repo_path":"<place>\/(others\/bare\.git|\.git)".* › result\.(isError|content\.0\.text): .* ≠ (true|".*repo_path")$/,
  },
  {
    differs: 'a folder inside a repository gets an error that names the repository',
    reason: 'A model can pass that one then.',
    matches: /^git_\w+ .* › result\.content\.0\.text: .* ≠ ".*'<place>\/.*' is inside the repository '<place>': pass that as repo_path"$/,
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
    differs: 'before the first commit, `git_reset` empties the index',
    reason: 'The reference server shows a command with a file of its own, and leaves the index broken.',
    matches:
      /^git_reset .*others\/unborn.* › result\.(isError|content\.0\.text): .* ≠ (false|undefined|nothing|".*All staged changes reset")$/,
  },
  {
    differs: 'a commit amid a conflict is refused in the words of git',
    reason: 'They name the files; the reference server shows a line of the index.',
    matches: /^git_commit .*others\/conflict.* › result\.content\.0\.text: .* ≠ ".*unmerged/,
  },
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
