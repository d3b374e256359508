/**
 * Resolves the name of a feature module to a file, a package or a folder. The names come from the command line and from
 * `LONGHAUL_FEATURES`, so they mean what they mean in the working folder, wherever Longhaul itself is installed.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Something to import: a URL, or the name of a package with the folders, as URLs, in which it is looked for, in their order. */
export interface Importable {
  readonly specifier: string;
  readonly from: readonly string[];
}

/** The meaning of a name. */
export interface FoundModules {
  readonly modules: readonly Importable[];
  /** Whether modules without features are left out: the helper modules of a folder. */
  readonly isFolder: boolean;
}

const MODULE = /(?<!\.d|\.test|\.spec)\.m?[jt]s$/;
const INDEX = /^index\.m?[jt]s$/;

/**
 * Finds the modules to import. A name is a path if there is a file or folder of that path, or if it begins with `.` or `/`. Any other name
 * is a package. A folder stands for its package, for its index module, or for the modules in it.
 *
 * @param besides the URL of a module of the application. The application's packages are found too if the working folder has none of that
 * name.
 */
export function findModules(name: string, besides: string | undefined): FoundModules {
  const path = resolve(name);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return inFolder(path);
  if (found !== undefined || name.startsWith('.') || isAbsolute(name)) return single(pathToFileURL(path).href);
  return single(name, [pathToFileURL(`${process.cwd()}/`).href, ...(besides === undefined ? [] : [besides])]);
}

function single(specifier: string, from: readonly string[] = []): FoundModules {
  return { modules: [{ specifier, from }], isFolder: false };
}

function inFolder(path: string): FoundModules {
  const names = readdirSync(path).toSorted();
  if (names.includes('package.json')) {
    const { name, exports, main } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Record<string, unknown>;
    // A package may import itself by its name if it says what it exports.
    if (exports !== undefined && typeof name === 'string') return single(name, [pathToFileURL(`${path}/`).href]);
    if (typeof main === 'string') return single(pathToFileURL(join(path, main)).href);
  }
  const index = names.find((name) => INDEX.test(name));
  if (index !== undefined) return single(pathToFileURL(join(path, index)).href);
  const modules = names.filter((name) => MODULE.test(name)).map((name) => ({ specifier: pathToFileURL(join(path, name)).href, from: [] }));
  return { modules, isFolder: true };
}

/** Imports it. @throws what the module throws; of a package that is nowhere, why it was not found in the first folder */
export async function importModule({ specifier, from }: Importable): Promise<object> {
  const [first, ...others] = from;
  if (first === undefined) return (await import(specifier)) as object;
  try {
    return await importFrom(specifier, first);
  } catch (error) {
    if (!isMissing(error) || others.length === 0) throw error;
    // A missing import of the module itself is not found from there either.
    return importModule({ specifier, from: others }).catch((later: unknown) => Promise.reject(isMissing(later) ? error : later));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** Imports a package as a module in that folder would. */
async function importFrom(name: string, parentURL: string): Promise<object> {
  const hook = registerHooks({
    resolve: (specifier, context, next) => next(specifier, specifier === name ? { ...context, parentURL } : context),
  });
  try {
    return (await import(name)) as object;
  } finally {
    hook.deregister();
  }
}
