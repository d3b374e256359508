import type { Metrics } from '@longhaul/runtime/telemetry';
import { createOwnerStore, type Store } from '@longhaul/sessions';
import type { OwnerCollections } from '@longhaul/tasks';
import { createFeatureRegistry, type FeatureRegistry } from './feature-registry.js';
import { showAuthorFrames } from './author-frames.js';
import { adviceOn } from './feature-advice.js';
import type { Feature } from './feature.js';
import { type FeatureSource, joinedInstructions, joinedSource } from './feature-source.js';
import { inFeature } from './feature-scope.js';
import { findModules, type Importable, importModule } from './find-module.js';
import { describeLoadError } from './load-error.js';

/** The content of a process's modules. */
export interface LoadedFeatures {
  readonly features: FeatureRegistry;
  /** The modules' instructions for their use, if they have any. */
  readonly instructions: string | undefined;
  /** Messages to operators for the log of the process, one line each. */
  readonly notices: readonly string[];
  /** To be called by each process that is a part of a deployment, with its store, before the other two. */
  readonly prepareProcess: (parts: ProcessParts) => Promise<void>;
  /** To be called by processes that run tasks, before they take any. @throws what a module throws because it cannot run its tools here */
  readonly prepareWorker: () => Promise<void>;
  /** To be called by processes that serve clients, before they do. */
  readonly prepareGateway: (parts: GatewayParts) => Promise<void>;
  /** To be called when the process ends. */
  readonly close: () => Promise<void>;
}

/** What a module may use in a gateway. */
export interface GatewayParts {
  /** Publishes that a resource has changed, to the clients that want to know. */
  resourceUpdated(uri: string): void;
  /** Writes a line to the log. */
  warn(line: string): void;
}

/** What a module may use in each process of a deployment. */
export interface ProcessParts {
  /** The process: its id is that of no other one. `isolated` is a process that a worker has forked for tasks that may harm it. */
  readonly process: { readonly id: string; readonly role: 'gateway' | 'worker' | 'isolated' | 'operator' };
  readonly store: Pick<Store, 'ownerRecords' | 'featureSignals' | 'processReports' | 'holds' | 'allotments' | 'encrypts'>;
  /** Where measurements go. Absent: nowhere. */
  readonly metrics?: Metrics | undefined;
  /** Writes a line to the log. */
  readonly warn: (line: string) => void;
}

/** Records of the deployment, for a module: under a name that no owner has. All processes see the same ones. */
export function collectionsOfDeployment({ store }: Pick<ProcessParts, 'store'>, module: string): OwnerCollections {
  return createOwnerStore(store.ownerRecords).of({ id: `longhaul/${module}` });
}

interface FeatureModule {
  readonly features: readonly Feature[];
  /** Features that change. */
  readonly source?: FeatureSource;
  readonly prepareProcess?: (parts: ProcessParts) => Promise<void> | void;
  readonly prepareGateway?: (parts: GatewayParts) => Promise<void> | void;
  readonly close?: () => Promise<void> | void;
  readonly instructions?: string;
  readonly notices?: readonly string[];
  readonly prepareWorker?: () => Promise<void> | void;
}

/**
 * Loads the features of modules; gateways and workers must be given the same ones. Each exports `features`, an array of features. It may
 * export `instructions`, a text for the models of clients; `notices`, lines for the log of gateways and workers; and `prepareWorker`. A
 * worker calls `prepareWorker` before it takes tasks, and does not start if it throws. A module with features that change exports them as
 * `source`, opens it in `prepareGateway`, and ends in `close` what it has opened. In `prepareProcess` it gets what all processes of a
 * deployment share.
 *
 * @param modules files, packages or folders: see `findModules`
 * @param besides `import.meta.url` of the application. Packages that the working folder does not have are searched from there.
 * @throws Error with one line that names the module that could not be loaded, and why
 */
export async function loadFeatures(modules: readonly string[], besides?: string): Promise<LoadedFeatures> {
  showAuthorFrames();
  const loaded: FeatureModule[] = [];
  const origins = new Map<string, string>();
  for (const module of modules)
    for (const found of await load(module, besides)) {
      for (const feature of found.features) requireOneOrigin(origins, module, feature);
      loaded.push(found);
    }
  const features = loaded.flatMap((module) => module.features);
  const sources = loaded.flatMap(({ source }) => source ?? []);
  let warn: (line: string) => void = () => undefined;
  return {
    features: createFeatureRegistry(sources.length === 0 ? features : joinedSource(features, sources, (line) => warn(line))),
    instructions: joinedInstructions(loaded.map(({ instructions }) => instructions)),
    notices: [...loaded.flatMap(({ notices = [] }) => notices), ...features.flatMap(adviceOn)],
    async prepareProcess(parts) {
      warn = (line) => parts.warn(line);
      for (const module of loaded) await module.prepareProcess?.(parts);
    },
    async prepareWorker() {
      for (const module of loaded) await module.prepareWorker?.();
    },
    async prepareGateway(parts) {
      warn = (line) => parts.warn(line);
      for (const module of loaded) await module.prepareGateway?.(parts);
    },
    async close() {
      for (const module of loaded) await module.close?.();
    },
  };
}

/** @throws RangeError that names both modules, for a feature that is called like one of its kind */
function requireOneOrigin(origins: Map<string, string>, module: string, feature: Feature): void {
  const kind = feature.kind.replace('-', ' ');
  const name = feature.kind === 'resource' ? feature.uri : feature.kind === 'resource-template' ? feature.uriTemplate : feature.name;
  const key = `${kind} ${name}`;
  const other = origins.get(key);
  if (other === module) throw new RangeError(`Feature module "${module}" has two ${kind}s that are named "${name}".`);
  if (other !== undefined) throw new RangeError(`Feature modules "${other}" and "${module}" both have a ${kind} that is named "${name}".`);
  origins.set(key, module);
}

type Exports = Readonly<Partial<Record<keyof FeatureModule, unknown>>>;

async function load(module: string, besides: string | undefined): Promise<FeatureModule[]> {
  const { modules, isFolder } = findModules(module, besides);
  const loaded: FeatureModule[] = [];
  for (const found of modules) {
    const exported = await importExports(module, found);
    if (!isFolder || exported.features !== undefined) loaded.push(checked(module, exported));
  }
  if (loaded.length === 0) throw new Error(`Feature module "${module}" is a folder without a module that exports "features".`);
  return loaded;
}

async function importExports(module: string, found: Importable): Promise<Exports> {
  try {
    return await inFeature({ kind: 'module', name: module }, () => importModule(found));
  } catch (cause) {
    throw new Error(`Feature module "${module}" cannot be loaded: ${describeLoadError(module, found, cause)}`, { cause });
  }
}

function checked(module: string, exported: Exports): FeatureModule {
  if (!Array.isArray(exported.features)) throw new Error(`Feature module "${module}" does not export an array named "features".`);
  for (const [index, feature] of exported.features.entries()) {
    if (!isFeature(feature))
      throw new Error(`Feature module "${module}": features[${index}] was made neither by a define function nor by featuresOf.`);
  }
  const { instructions, notices, prepareWorker } = exported;
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new Error(`Feature module "${module}" exports "instructions" that are no text.`);
  if (notices !== undefined && !(Array.isArray(notices) && notices.every((line) => typeof line === 'string')))
    throw new Error(`Feature module "${module}" exports "notices" that are no array of texts.`);
  if (prepareWorker !== undefined && typeof prepareWorker !== 'function')
    throw new Error(`Feature module "${module}" exports a "prepareWorker" that is no function.`);
  const { source, prepareProcess, prepareGateway, close } = exported;
  if (source !== undefined && (typeof source !== 'object' || source === null || !('onChange' in source)))
    throw new Error(`Feature module "${module}" exports a "source" that is none.`);
  for (const [name, value] of Object.entries({ prepareProcess, prepareGateway, close }))
    if (value !== undefined && typeof value !== 'function')
      throw new Error(`Feature module "${module}" exports a "${name}" that is no function.`);
  return exported as FeatureModule;
}

const KINDS: readonly Feature['kind'][] = ['tool', 'prompt', 'resource', 'resource-template', 'session-job'];

function isFeature(value: unknown): value is Feature {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.some((kind) => kind === value.kind);
}
