import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * A file or a folder of a package, wherever in it the module that asks has come to be: as a source, compiled, or joined with others.
 *
 * @param path from the package's folder; that of a folder ends with `/`
 * @param moduleUrl `import.meta.url` of the module that asks
 * @throws Error when the module belongs to no package
 */
export function packageFile(path: string, moduleUrl: string): URL {
  const manifest = findPackageJSON('.', moduleUrl);
  if (manifest === undefined) throw new Error(`${moduleUrl} belongs to no package.`);
  return new URL(path, pathToFileURL(manifest));
}
