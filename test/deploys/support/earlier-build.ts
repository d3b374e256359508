/** Builds earlier code of this repository, so that its processes can run beside those of the present code. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What changes with the stores: between releases without a new format. */
const STORES = ['libs/tasks/src/formats.ts', 'libs/store-sqlite/src/schema.ts'] as const;

/** Packages with modules of their own, beside those of the whole repository. */
const WORKSPACES = ['apps', 'libs'] as const;

/** Built code. */
export interface Build {
  /** Its folder, which ends with a slash. */
  readonly root: string;
  remove(): void;
}

/** Builds the newest release, or before the first one the oldest code with the present stores; both with the present dependencies. */
export function buildEarlier(): Build {
  const [release] = linesOf('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname');
  const [commit = ''] = release === undefined ? linesOf('log', '-1', '--format=%H', '--', ...STORES) : [release];
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'longhaul-earlier-'))), '/');
  const remove = (): void => rmSync(root, { recursive: true, force: true });
  try {
    execFileSync('tar', ['-x', '-C', root], { input: git('archive', '--format=tar', commit) });
    linkModules('node_modules', root);
    for (const kind of WORKSPACES) for (const name of readdirSync(join(root, kind))) linkModules(join(kind, name, 'node_modules'), root);
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    remove();
    throw error;
  }
  return { root, remove };
}

function linesOf(...args: readonly string[]): readonly string[] {
  return git(...args)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: ROOT, maxBuffer: 2 ** 30 });
}

/** Packages of the repository are those of the earlier code: their links are relative. */
function linkModules(folder: string, root: string): void {
  const here = join(ROOT, folder);
  const stats = lstatSync(here, { throwIfNoEntry: false });
  if (stats === undefined) return;
  mkdirSync(join(root, folder));
  for (const name of readdirSync(here)) {
    if (name === '.cache') continue;
    const path = join(here, name);
    if (name.startsWith('@')) linkModules(join(folder, name), root);
    else symlinkSync(lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path, join(root, folder, name));
  }
}
