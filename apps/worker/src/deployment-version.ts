import type { FeatureRegistry } from '@longhaul/mcp-features';
import { packageVersion } from '@longhaul/runtime/package-version';

const VERSION = packageVersion(import.meta.url);

/** The default version of a deployment: it differs when Longhaul or the code of the features differs. */
export function deploymentVersion({ fingerprint }: FeatureRegistry): string {
  return `${VERSION}+${fingerprint}`;
}
