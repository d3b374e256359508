import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFeatureRegistry, type FeatureRegistry } from './authoring/feature-registry.js';
import type { Tool } from './authoring/tool.js';
import { everything, type EverythingOptions } from './everything/everything.js';

/** What a process serves: the built-in features and those of the named modules. */
export interface FeatureSources extends EverythingOptions {
  /** Paths (`./my-tools.js`, relative to the working directory) or package names; each exports `features`, an array of tools. */
  readonly modules?: readonly string[];
}

/**
 * Loads the features that gateway and worker share; both must be given the same modules.
 *
 * @throws Error with one line that names the module that could not be loaded, and why
 */
export async function loadFeatures({ modules = [], ...options }: FeatureSources = {}): Promise<FeatureRegistry> {
  const tools = [...everything(options)];
  for (const module of modules) tools.push(...(await toolsOf(module)));
  return createFeatureRegistry(tools);
}

async function toolsOf(module: string): Promise<readonly Tool[]> {
  const isPath = module.startsWith('.') || isAbsolute(module);
  const specifier = isPath ? pathToFileURL(resolve(module)).href : module;
  let exported: { features?: unknown };
  try {
    exported = (await import(specifier)) as { features?: unknown };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    throw new Error(`Feature module "${module}" cannot be loaded: ${reason}`, { cause });
  }
  if (!Array.isArray(exported.features)) throw new Error(`Feature module "${module}" does not export an array named "features".`);
  return exported.features as readonly Tool[];
}
