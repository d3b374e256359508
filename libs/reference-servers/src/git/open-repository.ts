/**
 * Opens the repository that a call names. Writers of a repository decide its configuration and where its parts are. So everything that git
 * will read or write is checked before: the work tree, its git folder (a file `.git` may point anywhere), the folder that work trees share,
 * links in them, alternates and submodules. All must be in the allowed folders. Git receives the paths as arguments, so it does not search
 * for them.
 */
import { type Dirent } from 'node:fs';
import { lstat, open, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { CommandFailure, GitFailure, refuseOption } from './git-failure.js';
import { runGit, safeSettings } from './git-process.js';
import { isAbsent, leadsOutside, realPathOf, Roots } from './paths.js';
import { Repository } from './repository.js';

/** No name of a ref is longer that git can write to a file of that name. */
const MAX_REF_LENGTH = 4_096;

/** Parts of a git folder that git follows, and whether what is below them as well. */
const FOLLOWED: readonly (readonly [folder: string, isDeep: boolean])[] = [
  ['', false],
  ['info', false],
  ['objects', true],
  ['refs', true],
  ['logs', true],
];

/** The parts that open a repository. */
export interface RepositoryRequest {
  readonly path: string;
  /** The allowed folders, as they are configured. */
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
}

/** @throws GitFailure for a path that is outside, or no repository with a work tree, or one that leads outside */
export async function openRepository({ path, roots: configured, signal }: RepositoryRequest): Promise<Repository> {
  refuseOption('Invalid repo_path', path);
  const roots = await Roots.of(configured);
  const folder = await confinedFolder(path, roots);
  const repository = await repositoryAt(folder, roots, signal);
  if (repository === undefined) throw await noRepository(path, folder, roots);
  return repository;
}

/** Names the repository that a folder is in, if there is one in the allowed folders. */
async function noRepository(path: string, folder: string, roots: Roots): Promise<GitFailure> {
  for (let above = dirname(folder); roots.has(above); above = dirname(above)) {
    const isRepository = (await lstat(join(above, '.git')).catch(() => undefined)) !== undefined;
    if (isRepository) return new GitFailure(`'${resolve(path)}' is inside the repository '${above}': pass that as repo_path`);
    if (above === dirname(above)) break;
  }
  return new GitFailure(resolve(path));
}

/**
 * @param folder without links
 * @returns the repository with this folder as its work tree; nothing if there is none
 * @throws GitFailure when a part of it is outside
 */
export async function repositoryAt(folder: string, roots: Roots, signal: AbortSignal): Promise<Repository | undefined> {
  const gitFolder = await gitFolderOf(folder, roots);
  if (gitFolder === undefined) return undefined;
  const commonFolder = await commonFolderOf(gitFolder, roots);
  for (const place of new Set([gitFolder, commonFolder])) await refuseLinksOut(place, roots);
  await refuseAlternatesOut(join(commonFolder, 'objects'), roots);
  return new Repository({ folder, gitFolder, commonFolder, signal, configured: await configuredNames(folder, gitFolder, signal) });
}

async function confinedFolder(path: string, roots: Roots): Promise<string> {
  const real = await realPathOf(resolve(path)).catch(() => {
    throw new GitFailure(`Invalid path: ${shownPath(path)}`);
  });
  if (!roots.has(real)) {
    const { configured } = roots;
    const allowed = `the allowed ${configured.length === 1 ? 'repository' : 'repositories'} ${configured.map((root) => `'${root}'`).join(', ')}`;
    throw new GitFailure(`Repository path '${shownPath(path)}' is outside ${allowed}`);
  }
  return real;
}

/** As Python writes a path: without what changes nothing. */
function shownPath(path: string): string {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}` || '.';
}

/** The git folder of a work tree; nothing where there is none. @throws GitFailure when it is outside */
async function gitFolderOf(folder: string, roots: Roots): Promise<string | undefined> {
  const entry = join(folder, '.git');
  const found = await lstat(entry).catch(() => undefined);
  if (found === undefined) return undefined;
  const place = await roots.confined(entry, 'Its git folder');
  if ((await lstat(place)).isDirectory()) return (await isGitFolder(place)) ? place : undefined;
  const [, named] = /^gitdir: (.+?)\s*$/s.exec(await readFile(place, 'utf8')) ?? [];
  if (named === undefined) return undefined;
  const target = await roots.confined(resolve(folder, named), 'Its git folder');
  return (await isGitFolder(target)) ? target : undefined;
}

async function isGitFolder(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined;
}

async function commonFolderOf(gitFolder: string, roots: Roots): Promise<string> {
  const named = await textIn(join(gitFolder, 'commondir'));
  return named === '' ? gitFolder : roots.confined(resolve(gitFolder, named.trim()), 'Its common git folder');
}

/** @throws GitFailure when what git follows in a git folder is a link to a place outside, or a ref that names one */
async function refuseLinksOut(gitFolder: string, roots: Roots): Promise<void> {
  const seen = new Set<string>();
  const look = async (folder: string, isDeep: boolean, hasRefs: boolean): Promise<void> => {
    if (seen.has(folder)) return;
    seen.add(folder);
    for (const entry of await entriesOf(folder)) {
      const path = entry.isSymbolicLink() ? await roots.confined(join(folder, entry.name), 'Its part') : join(folder, entry.name);
      const found = entry.isSymbolicLink() ? await lstat(path) : entry;
      if (found.isDirectory() && isDeep) await look(path, true, hasRefs);
      // HEAD and similar refs are next to the folder of all others.
      if (found.isFile() && (hasRefs || (folder === gitFolder && /^[A-Z_]+$/.test(entry.name)))) await refuseRefOut(path);
    }
  };
  // A folder of these that is a link has been looked at as an entry of the one before.
  for (const [folder, isDeep] of FOLLOWED) await look(join(gitFolder, folder), isDeep, folder === 'refs');
}

/** Git writes to the ref that a ref names, also where `..` in that leads out of the repository. @throws GitFailure for such a name */
async function refuseRefOut(path: string): Promise<void> {
  const [, named] = /^ref:\s*([\s\S]*?)\s*$/.exec(await beginningOf(path)) ?? [];
  if (named === undefined) return;
  const [top, ...parts] = named.split('/');
  const isInside = top === 'refs' && parts.length > 0 && parts.every((part) => part !== '' && !part.startsWith('.'));
  if (!isInside || named.length > MAX_REF_LENGTH) throw leadsOutside('Its part', path);
}

/** As much as shows whether a file is a ref that names another one, and which. */
async function beginningOf(path: string): Promise<string> {
  const file = await open(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2 * MAX_REF_LENGTH));
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
}

/** @throws GitFailure when objects come from a place outside, or from one that cannot be made out */
async function refuseAlternatesOut(objects: string, roots: Roots, seen = new Set<string>()): Promise<void> {
  if (seen.has(objects)) return;
  seen.add(objects);
  const lines = (await textIn(join(objects, 'info/alternates'))).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const line of lines) {
    if (line.startsWith('"')) throw new GitFailure(`Its alternate ${line} is quoted, which is not supported here`);
    await refuseAlternatesOut(await roots.confined(resolve(objects, line), 'Its alternate'), roots, seen);
  }
}

async function textIn(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (isAbsent(error)) return '';
    throw error;
  });
}

/**
 * The names of all that a repository's configuration sets. It must not include other files: some are included only on a certain
 * branch, and so would be seen too late.
 */
async function configuredNames(folder: string, gitFolder: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = [`--git-dir=${gitFolder}`, 'config', '--no-includes', '--list', '--name-only', '-z'];
  const { stdout, isCut } = await runGit({ args, folder, settings: safeSettings([]), signal }).catch((error: unknown) => {
    if (error instanceof CommandFailure) throw new GitFailure(`Its configuration cannot be read: ${error.stderr}`);
    throw error;
  });
  if (isCut) throw new GitFailure('Its configuration is too large');
  const names = [...new Set(stdout.toString('utf8').split('\0'))];
  const including = names.find((name) => name === 'include.path' || /^includeif\..*\.path$/s.test(name));
  if (including !== undefined) throw new GitFailure(`Its configuration includes other files (${including}), which is not allowed here`);
  return names;
}
