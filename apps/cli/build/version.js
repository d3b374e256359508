import { packageVersion } from '@longhaul/runtime/package-version';
/** The version of this package, which is that of all packages. */
export function version() {
    return packageVersion(import.meta.url);
}
//# sourceMappingURL=version.js.map