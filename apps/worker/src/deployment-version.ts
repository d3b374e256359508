import { readFileSync } from 'node:fs';
import type { FeatureRegistry } from '@longhaul/mcp-features';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** The version of a deployment that nobody has given one: it differs when Longhaul does, or the code of the features. */
export function deploymentVersion({ fingerprint }: FeatureRegistry): string {
  return `${manifest.version}+${fingerprint}`;
}
