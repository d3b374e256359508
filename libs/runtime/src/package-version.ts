import { readFileSync } from 'node:fs';
import { packageFile } from './package-file.js';

/** The version of a module's package, which all packages share. @param moduleUrl `import.meta.url` of the module */
export function packageVersion(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(packageFile('package.json', moduleUrl), 'utf8')) as { readonly version: string };
  return version;
}
