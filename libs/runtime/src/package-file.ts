import { existsSync } from 'node:fs';

const MANIFEST = 'package.json';

/**
 * Finds a file or a folder of a package, no matter whether the calling module is a source, compiled, or bundled. Node's `findPackageJSON`
 * finds no package in an archive, and Yarn's Plug'n'Play keeps packages in archives.
 *
 * @param path relative to the package's folder; a folder's path ends with `/`
 * @param moduleUrl `import.meta.url` of the calling module
 * @throws Error when the module belongs to no package
 */
export function packageFile(path: string, moduleUrl: string): URL {
  let folder = new URL('.', moduleUrl);
  while (!existsSync(new URL(MANIFEST, folder))) {
    const above = new URL('..', folder);
    if (above.href === folder.href) throw new Error(`${moduleUrl} belongs to no package.`);
    folder = above;
  }
  return new URL(path, folder);
}
