import { readFileSync } from 'node:fs';

/** The version that a manifest names, which is that of all packages. @param manifest the `package.json` of the caller's package */
export function packageVersion(manifest: URL): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version: string };
  return version;
}
