/** Completion for shells, made from the table of commands. */
import { UserError } from '../user-error.js';
import { EXIT } from './api/exit-codes.js';
import { OUTPUT_FLAGS } from './command-line/flags.js';
const SHELLS = ['bash', 'zsh', 'fish'];
/** @param names of all commands, also those that are not for operators. @throws UserError for another shell */
export function completionOf(shell, names, verbs) {
    if (!SHELLS.some((known) => known === shell))
        throw new UserError(`usage: longhaul completion ${SHELLS.join('|')}`, EXIT.usage);
    const places = placesOf(names, verbs);
    switch (shell) {
        case 'bash':
            return bash(places);
        case 'zsh':
            return `#compdef longhaul\nautoload -Uz bashcompinit && bashcompinit\n${bash(places)}`;
        case 'fish':
            return fish(places, verbs);
    }
}
function placesOf(names, verbs) {
    const groups = Map.groupBy(verbs.filter(({ words }) => words.length > 1), ({ words: [first = ''] }) => first);
    const secondWords = (first = '') => (groups.get(first) ?? []).map(({ words: [, second = ''] }) => second);
    const isAlone = (first) => !verbs.some(({ words }) => words.length === 1 && words[0] === first);
    return [
        { after: [], words: names, flags: [] },
        ...[...groups.keys()].filter(isAlone).map((first) => ({ after: [first], words: secondWords(first), flags: [] })),
        { after: ['completion'], words: SHELLS, flags: [] },
        ...verbs.map(({ words, flags }) => ({
            after: words,
            // Some have commands of more words beside them.
            words: words.length === 1 ? secondWords(words[0]) : [],
            flags: [...flags, ...OUTPUT_FLAGS],
        })),
    ];
}
function bash(places) {
    const cases = places.map(({ after, words, flags }) => `    '${after.join(' ')}') words='${[...words, ...flags.map(({ name }) => `--${name}`)].join(' ')}' ;;`);
    const choices = new Map(places.flatMap(({ flags }) => flags).flatMap(({ name, choices: known }) => (known === undefined ? [] : [[name, known]])));
    const values = [...choices].map(([name, known]) => `    --${name}) COMPREPLY=($(compgen -W '${known.join(' ')}' -- "$cur")); return ;;`);
    return `_longhaul() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  case "\${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ "$path" == *' '* ]] || path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
    *) path="\${path%% *}"
      case "$path" in
${cases.map((line) => `    ${line}`).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _longhaul longhaul`;
}
function fish(places, verbs) {
    const summaries = new Map(verbs.map(({ words, summary }) => [words.join(' '), summary]));
    const lines = places.flatMap(({ after, words, flags }) => {
        const when = after.length === 0 ? '__fish_use_subcommand' : `__longhaul_at ${after.join(' ')}`;
        return [
            ...words.map((word) => `complete -c longhaul -f -n '${when}' -a '${word}'${described(summaries.get([...after, word].join(' ')))}`),
            ...flags.map(({ name, value, summary, choices }) => `complete -c longhaul -f -n '${when}' -l ${name}${value === undefined ? '' : ' -r'}${choices === undefined ? '' : ` -a '${choices.join(' ')}'`}${described(summary)}`),
        ];
    });
    return `function __longhaul_at
  set -l words (commandline -opc)[2..]
  set -l plain (string match -v -- '-*' $words)
  test (count $plain) -ge (count $argv); and test "$plain[1..(count $argv)]" = "$argv"
end
${lines.join('\n')}`;
}
function described(summary) {
    return summary === undefined ? '' : ` -d '${summary.replaceAll("'", "\\'")}'`;
}
//# sourceMappingURL=completion.js.map