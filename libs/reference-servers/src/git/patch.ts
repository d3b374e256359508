/** Reads the patch of a commit, file by file: the names before and after, and the hunks. Modes and ids of objects are left out. */
import { CUT_NOTE, decoded } from './git-output.js';
import { unquoted } from './quoted-names.js';
import type { Repository } from './repository.js';

const ARGS = ['diff-tree', '-r', '-M', '-p', '--full-index', '--no-commit-id', '--no-ext-diff', '--no-textconv', '--no-color'];

/** @param parent that the commit is compared with. Default: nothing, so that all of it is new */
export async function patchOf(repository: Repository, { id, parent }: { id: string; parent: string | undefined }): Promise<string> {
  const trees = parent === undefined ? ['--root', id] : [parent, id];
  const { stdout, isCut } = await repository.run([...ARGS, '--submodule=short', ...trees]);
  // A line of a hunk begins with a sign, so that this is never one.
  const files = decoded(stdout, isCut)
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith('diff --git '));
  return files.map(shownFile).join('') + (isCut ? CUT_NOTE : '');
}

/** Headers of a file's patch: those before its hunks or its note about binary files. */
const HEADER = /^(diff --git|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename|copy|index) /;

function shownFile(text: string): string {
  const lines = text.split('\n');
  const headers = lines.slice(
    0,
    firstIndex(lines, (line) => !HEADER.test(line)),
  );
  let rest = lines.slice(headers.length);
  let [before, after] = namesOf(headers);
  if (rest[0]?.startsWith('--- ') === true && rest[1]?.startsWith('+++ ') === true) {
    [before, after] = [sideOf(rest[0].slice(4)), sideOf(rest[1].slice(4))];
    rest = rest.slice(2);
  }
  const isNew = headers.some((line) => line.startsWith('new file mode'));
  const isDeleted = headers.some((line) => line.startsWith('deleted file mode'));
  return `\n--- ${isNew ? '/dev/null' : before}\n+++ ${isDeleted ? '/dev/null' : after}\n${rest.join('\n')}`;
}

function firstIndex(lines: readonly string[], matches: (line: string) => boolean): number {
  const found = lines.findIndex(matches);
  return found === -1 ? lines.length : found;
}

/** Both names of a file that has no `---` and `+++`: it was renamed, or is binary, or only its mode has changed. */
function namesOf(headers: readonly string[]): readonly [string, string] {
  const from = headers.find((line) => line.startsWith('rename from '))?.slice('rename from '.length);
  const to = headers.find((line) => line.startsWith('rename to '))?.slice('rename to '.length);
  if (from !== undefined && to !== undefined) return [`a/${unquoted(from)}`, `b/${unquoted(to)}`];
  const both = headers[0]?.slice('diff --git '.length) ?? '';
  // Both names are the same but for their first letter, so that the space between them is in the middle.
  const middle = (both.length - 1) / 2;
  return [unquoted(both.slice(0, middle)), unquoted(both.slice(middle + 1))];
}

/** A name ends with a tab where it has a space. */
function sideOf(name: string): string {
  return unquoted(name.replace(/\t$/, ''));
}
