/** The project's documents, as far as tests look into them. */
import { existsSync, globSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/** The text of a file of the repository. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Whether the repository has such a file or folder. */
export function exists(path: string): boolean {
  return existsSync(new URL(path, root));
}

/** Paths of the files that match, from the root of the repository. */
export function pathsOf(pattern: string): string[] {
  return globSync(pattern, { cwd: root.pathname }).toSorted();
}

/** Paths of all Markdown documents, from the root of the repository. */
export const documents = [...pathsOf('*.md'), ...pathsOf('docs/**/*.md'), ...pathsOf('examples/*.md')];

/** The part of a document under the heading, up to the next one of the same or a higher level. */
export function section(path: string, heading: string): string {
  const lines = textOf(path).split('\n');
  const start = lines.findIndex((line) => line.startsWith('#') && line.replace(/^#+ /, '') === heading);
  if (start === -1) throw new Error(`${path} has no heading "${heading}".`);
  const level = levelOf(lines[start] ?? '');
  const length = lines.slice(start + 1).findIndex((line) => levelOf(line) > 0 && levelOf(line) <= level);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n');
}

/** The rows of the tables in a part of a document, without their heads; a cell's text is without backticks. */
export function tableRows(markdown: string): string[][] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('|'));
  const isRule = (line: string | undefined): boolean => line !== undefined && /^\|[\s:|-]+\|$/.test(line);
  return lines
    .filter((line, index) => !isRule(line) && !isRule(lines[index + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.replaceAll('\\|', '|').replaceAll('`', '').trim()),
    );
}

/** Each of the names once, in alphabetical order. */
export function sorted(names: Iterable<string | undefined>): string[] {
  return [...new Set(names)].map(String).toSorted();
}

function levelOf(line: string): number {
  return /^(#+) /.exec(line)?.[1]?.length ?? 0;
}
