import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFeatureRegistry, type FeatureRegistry } from './authoring/feature-registry.js';
import type { Feature } from './authoring/feature.js';
import { inFeature } from './authoring/feature-scope.js';
import { everything, type EverythingOptions } from './everything/everything.js';

/** What a process serves: the built-in features and those of the named modules. */
export interface FeatureSources extends EverythingOptions {
  /** Paths (`./my-tools.js`, relative to the working directory) or package names; each exports `features`, an array of features. */
  readonly modules?: readonly string[];
}

/**
 * Loads the features that gateway and worker share; both must be given the same modules.
 *
 * @throws Error with one line that names the module that could not be loaded, and why
 */
export async function loadFeatures({ modules = [], ...options }: FeatureSources = {}): Promise<FeatureRegistry> {
  const features = [...everything(options)];
  for (const module of modules) features.push(...(await featuresIn(module)));
  return createFeatureRegistry(features);
}

async function featuresIn(module: string): Promise<readonly Feature[]> {
  const isPath = module.startsWith('.') || isAbsolute(module);
  const specifier = isPath ? pathToFileURL(resolve(module)).href : module;
  let exported: { features?: unknown };
  try {
    exported = (await inFeature({ kind: 'module', name: module }, () => import(specifier))) as { features?: unknown };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new Error(`Feature module "${module}" cannot be loaded: ${reason}`, { cause });
  }
  if (!Array.isArray(exported.features)) throw new Error(`Feature module "${module}" does not export an array named "features".`);
  for (const [index, feature] of exported.features.entries()) {
    if (!isFeature(feature))
      throw new Error(`Feature module "${module}": features[${index}] was made neither by a define function nor by featuresOf.`);
  }
  return exported.features as readonly Feature[];
}

const KINDS: readonly Feature['kind'][] = ['tool', 'prompt', 'resource', 'resource-template', 'session-job'];

function isFeature(value: unknown): value is Feature {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.some((kind) => kind === value.kind);
}
