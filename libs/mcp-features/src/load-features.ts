import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFeatureRegistry, type FeatureRegistry } from './feature-registry.js';
import type { Feature } from './feature.js';
import { inFeature } from './feature-scope.js';

/** What the modules of a process give. */
export interface LoadedFeatures {
  readonly features: FeatureRegistry;
  /** What the modules say of how to use them, if they do. */
  readonly instructions: string | undefined;
}

interface FeatureModule {
  readonly features: readonly Feature[];
  readonly instructions?: string;
}

/**
 * Loads the features of modules; gateways and workers must be given the same ones. Each exports `features`, an array of features,
 * and may export `instructions`, a text for the models of clients.
 *
 * @param modules paths (`./my-tools.js`, relative to the working directory) or names of packages
 * @throws Error with one line that names the module that could not be loaded, and why
 */
export async function loadFeatures(modules: readonly string[]): Promise<LoadedFeatures> {
  const loaded: FeatureModule[] = [];
  for (const module of modules) loaded.push(await load(module));
  const instructions = loaded.flatMap((module) => module.instructions ?? []).join('\n\n');
  return {
    features: createFeatureRegistry(loaded.flatMap(({ features }) => features)),
    instructions: instructions === '' ? undefined : instructions,
  };
}

async function load(module: string): Promise<FeatureModule> {
  const isPath = module.startsWith('.') || isAbsolute(module);
  const specifier = isPath ? pathToFileURL(resolve(module)).href : module;
  let exported: { features?: unknown; instructions?: unknown };
  try {
    exported = (await inFeature({ kind: 'module', name: module }, () => import(specifier))) as typeof exported;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new Error(`Feature module "${module}" cannot be loaded: ${reason}`, { cause });
  }
  if (!Array.isArray(exported.features)) throw new Error(`Feature module "${module}" does not export an array named "features".`);
  for (const [index, feature] of exported.features.entries()) {
    if (!isFeature(feature))
      throw new Error(`Feature module "${module}": features[${index}] was made neither by a define function nor by featuresOf.`);
  }
  const { instructions } = exported;
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new Error(`Feature module "${module}" exports "instructions" that are no text.`);
  return { features: exported.features as readonly Feature[], ...(instructions !== undefined && { instructions }) };
}

const KINDS: readonly Feature['kind'][] = ['tool', 'prompt', 'resource', 'resource-template', 'session-job'];

function isFeature(value: unknown): value is Feature {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.some((kind) => kind === value.kind);
}
