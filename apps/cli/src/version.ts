import { packageVersion } from '@longhaul/runtime/package-version';

/** The version of this package, the same for all packages. */
export function version(): string {
  return packageVersion(import.meta.url);
}
