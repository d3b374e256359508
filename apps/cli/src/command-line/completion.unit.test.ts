import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { completionOf } from './completion.js';
import { commands } from '../commands/commands.js';

/** The words that bash offers after a line. */
function offered(...words: readonly string[]): string[] {
  const script = `${completionOf('bash', commands)}
COMP_WORDS=(longhaul "$@"); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); _longhaul; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' })
    .split('\n')
    .filter((word) => word !== '');
}

it.each<[string, string[], string[]]>([
  ['a command', ['ta'], ['tasks']],
  ['the second word of a command', ['tasks', 'ex'], ['export']],
  ['a flag', ['tasks', 'list', '--fa'], ['--failure']],
  ['a flag of a command of one word', ['wait', '--t'], ['--timeout']],
  ['a flag after a value', ['wait', 'a-task', '--t'], ['--timeout']],
  ['a status', ['tasks', 'list', '--status', 'can'], ['cancelled']],
  ['the status of another command', ['webhooks', '--status', 'g'], ['given-up']],
  ['a shell', ['completion', 'f'], ['fish']],
  ['a flag of a command that is not for operators', ['start', 'a-module', '--w'], ['--watch']],
])('bash completes %s', (_what, words, expected) => {
  expect(offered(...words)).toEqual(expected);
});

it('fish gets each command and each flag with what it does', () => {
  const script = completionOf('fish', commands);
  expect(script).toContain(`complete -c longhaul -f -n '__longhaul_at tasks' -a 'watch' -d 'shows the newest tasks as they change'`);
  expect(script).toContain(`complete -c longhaul -f -n '__longhaul_at wait' -l timeout -r -d 'give up after this time, such as 90s'`);
});
