import { createRequire } from 'node:module';

/** The version in the repository's package.json. */
export function version(): string {
  const manifest: { version: string } = createRequire(import.meta.url)('../../../package.json');
  return manifest.version;
}
