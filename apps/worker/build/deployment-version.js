import { packageVersion } from '@longhaul/runtime/package-version';
const VERSION = packageVersion(import.meta.url);
/** The version of a deployment that nobody has given one: it differs when Longhaul does, or the code of the features. */
export function deploymentVersion({ fingerprint }) {
    return `${VERSION}+${fingerprint}`;
}
//# sourceMappingURL=deployment-version.js.map