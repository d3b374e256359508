import { packageVersion } from '@longhaul/runtime/package-version';

/** The version of this package, which is that of all packages. */
export function version(): string {
  return packageVersion(import.meta.url);
}
