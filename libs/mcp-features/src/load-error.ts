/** Explains in one line why a module of features cannot be loaded, if Node's own words do not say what to do. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Importable } from './find-module.js';

/** A decorator at the beginning of a line. Strings and comments that look like one only matter after a syntax error. */
const DECORATOR = /^[\t ]*@[A-Za-z_$][\w$.]*[\t (]*/m;
const RELATIVE_IMPORT = /\bfrom\s*['"](\.{1,2}\/[^'"]+\.m?[jt]s)['"]/g;

/** @param cause what importing it threw */
export function describeLoadError(name: string, { specifier, from }: Importable, cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [firstLine = ''] = cause.message.split('\n', 1);
  if (isUnknown(cause, specifier, from))
    return `there is no file of that path and no package of that name in ${process.cwd()}. A path of another folder begins with ./, ../ or /`;
  if (cause instanceof SyntaxError && specifier.startsWith('file:')) {
    const place = decoratorIn(fileURLToPath(specifier));
    if (place !== undefined)
      return `${place} has a decorator, which Node cannot read. Compile the module (tsc, esbuild, swc) and name the result, or use the define functions`;
  }
  if ('code' in cause && cause.code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return `${firstLine}${placeOf(cause)}. Node only leaves out types: compile the module (tsc, esbuild, swc) and name the result, or do without`;
  if (specifier.startsWith('file:') && !existsSync(fileURLToPath(specifier)))
    return `there is no file ${relative('', fileURLToPath(specifier))}`;
  return `${firstLine}${name === specifier ? '' : placeOf(cause) || placeOfSyntax(specifier, cause)}`;
}

/** Whether it is the package itself that was not found, and nothing that it imports. */
function isUnknown(cause: Error, specifier: string, from: readonly string[]): boolean {
  if (!('code' in cause) || cause.code !== 'ERR_MODULE_NOT_FOUND') return false;
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  return from.some((folder) => cause.message === `Cannot find package '${name}' imported from ${fileURLToPath(folder)}`);
}

/** @returns the first line with a decorator in the TypeScript module and those that it imports by path: `src/tools.ts:12` */
function decoratorIn(entry: string): string | undefined {
  for (const [file, source] of filesFrom(entry)) {
    const found = /\.m?ts$/.test(file) ? DECORATOR.exec(source) : null;
    if (found !== null) return `${relative('', file)}:${source.slice(0, found.index).split('\n').length}`;
  }
  return undefined;
}

/** A module and those that it imports by path, with their sources. */
function* filesFrom(entry: string): Iterable<readonly [file: string, source: string]> {
  const files = new Set([entry]);
  for (const file of files) {
    if (!/\.m?[jt]s$/.test(file) || !existsSync(file)) continue;
    const source = readFileSync(file, 'utf8');
    yield [file, source];
    for (const [, path = ''] of source.matchAll(RELATIVE_IMPORT)) files.add(resolve(file, '..', path));
  }
}

/** Files that are looked at for a mistake of syntax. */
const MAX_CHECKED = 20;

/** Where a mistake of syntax in JavaScript is: Node says that only to who runs the file. */
function placeOfSyntax(specifier: string, cause: Error): string {
  if (!(cause instanceof SyntaxError) || !specifier.startsWith('file:')) return '';
  let checked = 0;
  for (const [file] of filesFrom(fileURLToPath(specifier))) {
    if (!/\.m?js$/.test(file) || checked++ >= MAX_CHECKED) continue;
    const [, place, line] = NODE_PLACE.exec(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr) ?? [];
    if (place !== undefined) return ` (${relative('', place)}:${line})`;
  }
  return '';
}

/** How Node begins what it says of a mistake of syntax. */
const NODE_PLACE = /^(?:file:\/\/)?(\/[^\n]+):(\d+)\n/;

/** Where the frames end that an import has caused, and those of its callers begin. */
const IMPORTS = /^ +at (?:async )?import(?:Module|From) \(/m;

/** A line of a stack with a file: `at run (file:///…/tools.ts:12:3)`. */
const FRAME = /^ +at (?:async )?(?:.*\()?(?:file:\/\/)?(\/.*):(\d+):\d+\)?$/gm;

/** This package, as a package or as the source of one. */
const OWN_FOLDER = fileURLToPath(new URL('.', import.meta.url));

/**
 * Where an error is. Node puts the place of an error of syntax before its stack, as `file:///…/tools.ts:12`. Of another error, it is the
 * first line of the stack that is of neither a package nor this one.
 */
function placeOf({ stack = '' }: Error): string {
  const [, file, line] = NODE_PLACE.exec(stack) ?? frameOf(stack) ?? [];
  return file === undefined ? '' : ` (${relative('', file)}:${line})`;
}

function frameOf(stack: string): RegExpExecArray | undefined {
  const [before = ''] = stack.split(IMPORTS, 1);
  return [...before.matchAll(FRAME)].find(([, file = '']) => !file.includes('/node_modules/') && !file.startsWith(OWN_FOLDER));
}
