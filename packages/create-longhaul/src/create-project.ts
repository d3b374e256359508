import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { UsageError } from './arguments.js';

/** Next to both `src` and `dist`. */
const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url));

/** npm leaves a file of that name out of packages. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: '.gitignore' };

/** A new project. */
export interface CreatedProject {
  readonly name: string;
  /** Its content, from its folder. */
  readonly files: readonly string[];
}

/**
 * Writes the project into a folder, which is created if it is missing.
 *
 * @param folder its last part becomes the project's name
 * @throws UsageError when the folder is not empty, or cannot be created
 */
export function createProject(folder: string, cwd: string): CreatedProject {
  const target = resolve(cwd, folder);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found !== undefined && (!found.isDirectory() || readdirSync(target).length > 0))
    throw new UsageError(`${folder} is there already, and not an empty folder: name another one`);
  const name = nameOf(target);
  const files = readdirSync(TEMPLATE, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATE.length + 1))
    .toSorted();
  for (const file of files) {
    const to = join(target, shown(file));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(TEMPLATE, file), to);
  }
  const manifest = join(target, 'package.json');
  writeFileSync(manifest, manifestOf(name, readFileSync(manifest, 'utf8')));
  return { name, files: files.map(shown) };
}

function shown(file: string): string {
  return RENAMED[file] ?? file;
}

/** A name that npm takes. */
function nameOf(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|[._-]+$/g, '');
  if (name === '') throw new UsageError(`"${basename(folder)}" cannot be the name of a project: begin it with a letter`);
  return name;
}

/** The template's manifest with the project's name, and with the packages of the version that this one has. */
function manifestOf(name: string, template: string): string {
  const manifest = JSON.parse(template) as Record<'dependencies', Record<string, string>>;
  const version = `^${ownVersion()}`;
  for (const dependency of Object.keys(manifest.dependencies))
    if (/^(longhaul$|@longhaul\/)/.test(dependency)) manifest.dependencies[dependency] = version;
  return `${JSON.stringify({ ...manifest, name }, null, 2)}\n`;
}

function ownVersion(): string {
  return (JSON.parse(readFileSync(join(TEMPLATE, '../package.json'), 'utf8')) as { version: string }).version;
}
