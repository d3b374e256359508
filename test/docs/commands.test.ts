/** Checks that a test or a gate runs every command of the documents, or that it is on the list of exceptions. */
import { describe, expect, it } from 'vitest';
import { BY_HAND } from './commands/by-hand.js';
import { RUN_BY_GATES } from './commands/run-by-gates.js';
import { RUN_BY_TESTS } from './commands/run-by-tests.js';
import { documents, sorted, textOf } from './documents.js';
import { missingTest } from './named-tests.js';

/** The beginning of a command, perhaps after variables that are set for it. */
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:(?:npm|npx|docker|kubectl|helm|sh|time|printf|echo|export) (?=\S)|\.ci\/)/;

/** The command without `npx`: no installation that a document describes puts it on PATH. */
const BARE = /^(?:[A-Z_]+=\S+ )*(?:source <\()?longhaul \S/;

/** The lines of the shell in a document, and the commands that its text names. */
function shellIn(document: string): string[] {
  const text = textOf(document);
  const blocks = [...text.matchAll(/(-->\n\n)?```(\w*)\n([\s\S]*?)\n```/g)].flatMap(([, source, language = '', code = '']) =>
    source === undefined && ['', 'sh'].includes(language) ? code.split('\n') : [],
  );
  const named = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...named];
}

function commandsIn(document: string): string[] {
  return shellIn(document)
    .filter((line) => COMMAND.test(line))
    .map((line) => line.replace(/ +# .*$/, '').trim());
}

const listed = [RUN_BY_TESTS, RUN_BY_GATES, BY_HAND].flatMap((list) => Object.keys(list));

describe('the commands of the documents', () => {
  it('are each on one list, and no other is', () => {
    expect(sorted(listed)).toEqual(sorted(documents.flatMap(commandsIn)));
    expect(listed).toHaveLength(new Set(listed).size);
  });

  it('say `npx longhaul`', () => {
    expect(documents.flatMap(shellIn).filter((line) => BARE.test(line))).toEqual([]);
  });

  it.each(Object.entries(RUN_BY_TESTS))('"%s" is run by a test that there is', (_command, test) => {
    expect(missingTest(test)).toBeUndefined();
  });

  it.each(Object.entries(RUN_BY_GATES))('"%s" is run by a stage that there is', (_command, { gate, stage }) => {
    expect(textOf(gate)).toMatch(new RegExp(`^.*stage ${stage}( \\|\\||;|$)`, 'm'));
  });
});
