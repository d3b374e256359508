import { createRequire } from 'node:module';

/** The version of this package, which is that of all packages. */
export function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../package.json');
  return manifest.version;
}
