import { readFileSync } from 'node:fs';
import type { FeatureRegistry } from './authoring/feature-registry.js';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/**
 * The version of a deployment, by which a worker says what it runs. Workers of one version must have the same features
 * with the same code.
 *
 * @param configured what the operator says; without it, it is the version of this package and a fingerprint of the features
 */
export function deploymentVersion({ fingerprint }: Pick<FeatureRegistry, 'fingerprint'>, configured?: string): string {
  return configured ?? `${manifest.version}+${fingerprint}`;
}
