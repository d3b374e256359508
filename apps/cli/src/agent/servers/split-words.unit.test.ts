import { expect, it } from 'vitest';
import { splitWords } from './split-words.js';

it.each<[string, string[] | undefined]>([
  ['npx -y  some-server', ['npx', '-y', 'some-server']],
  [' node "a file.js" \'b c\' ', ['node', 'a file.js', 'b c']],
  [String.raw`say "a \"quoted\" word" a\ b 'c\d' "e\f"`, ['say', 'a "quoted" word', 'a b', String.raw`c\d`, String.raw`e\f`]],
  [`node --name='a b' ""`, ['node', '--name=a b', '']],
  ['echo "x', undefined],
  ["echo 'x", undefined],
  ['echo \\', undefined],
  ['', []],
])('%j has the words %j', (command, words) => {
  expect(splitWords(command)).toEqual(words);
});
