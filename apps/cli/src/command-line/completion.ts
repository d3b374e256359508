/** Completes commands for shells, from the table of commands. */
import { type CommandForm, type Flag, wordsOf } from './command.js';

/** Those that there is one for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The words that can follow some words. */
interface Place {
  readonly words: Set<string>;
  flags: readonly Flag[];
}

/** By the words that stand before. */
type Places = ReadonlyMap<string, Place>;

export function completionOf(shell: (typeof SHELLS)[number], commands: readonly CommandForm[]): string {
  const places = placesOf(commands);
  switch (shell) {
    case 'bash':
      return bash(places);
    case 'zsh':
      return `#compdef longhaul\nautoload -Uz bashcompinit && bashcompinit\n${bash(places)}`;
    case 'fish':
      return fish(places, commands);
  }
}

function placesOf(commands: readonly CommandForm[]): Places {
  const places = new Map<string, Place>();
  const placeAfter = (words: readonly string[]): Place => {
    const after = words.join(' ');
    const place = places.get(after) ?? { words: new Set(), flags: [] };
    places.set(after, place);
    return place;
  };
  for (const command of commands) {
    const words = wordsOf(command);
    for (const [at, word] of words.entries()) placeAfter(words.slice(0, at)).words.add(word);
    placeAfter(words).flags = command.flags ?? [];
  }
  return places;
}

function bash(places: Places): string {
  const cases = [...places].map(
    ([after, { words, flags }]) => `    '${after}') words='${[...words, ...flags.map(({ name }) => `--${name}`)].join(' ')}' ;;`,
  );
  // Two commands may have a flag of one name with other values.
  const values = [...places].flatMap(([after, { flags }]) =>
    flags.flatMap(({ name, choices = [] }) =>
      choices.length === 0
        ? []
        : [`    '${after} --${name}'|'${after} '*' --${name}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$cur")); return ;;`],
    ),
  );
  return `_longhaul() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) [[ "$path" == *' '* ]] || path="\${path:+$path }$word" ;; esac
  done
  case "$path \${COMP_WORDS[COMP_CWORD-1]}" in
${values.join('\n')}
  esac
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

function fish(places: Places, commands: readonly CommandForm[]): string {
  const summaries = new Map(commands.map((command) => [wordsOf(command).join(' '), command.summary]));
  const lines = [...places].flatMap(([after, { words, flags }]) => {
    const when = after === '' ? '__fish_use_subcommand' : `__longhaul_at ${after}`;
    const ofWords = [...words].map(
      (word) => `complete -c longhaul -f -n '${when}' -a '${word}'${described(summaries.get(`${after} ${word}`.trim()))}`,
    );
    const ofFlags = flags.map(
      ({ name, value, summary, choices }) =>
        `complete -c longhaul -f -n '${when}' -l ${name}${value === undefined ? '' : ' -r'}${choices === undefined ? '' : ` -a '${choices.join(' ')}'`}${described(summary)}`,
    );
    return ofWords.concat(ofFlags);
  });
  return `function __longhaul_at
  set -l words (commandline -opc)[2..]
  set -l plain (string match -v -- '-*' $words)
  test (count $plain) -ge (count $argv); and test "$plain[1..(count $argv)]" = "$argv"
end
${lines.join('\n')}`;
}

function described(summary: string | undefined): string {
  return summary === undefined ? '' : ` -d '${summary.replaceAll("'", "\\'")}'`;
}
