import { FIELD_LIMITS, tooLong, type WorkflowRegistry } from '@longhaul/tasks';
import type {
  Implementation,
  Prompt as ListedPrompt,
  Resource as ListedResource,
  ResourceTemplate as ListedResourceTemplate,
  Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import type { Prompt } from './define-prompt.js';
import type { ResourceTemplate, UriVariables } from './define-resource-template.js';
import type { Resource } from './define-resource.js';
import type { SessionJob } from './define-session-job.js';
import { fingerprintOf } from './feature-code.js';
import type { Feature } from './feature.js';
import { changedSource, type FeatureSource, isSource } from './feature-source.js';
import { createListings, type Listings } from './listings.js';
import type { DurableTool, Tool } from './tool.js';

/** The resource that a URI names. */
export type FoundResource = { readonly resource: Resource } | { readonly template: ResourceTemplate; readonly variables: UriVariables };

/** The lists for a client, by its capabilities. */
export interface FeatureListings {
  readonly tools: Listings<ListedTool>;
  readonly prompts: Listings<ListedPrompt>;
  readonly resources: Listings<ListedResource>;
  readonly resourceTemplates: Listings<ListedResourceTemplate>;
}

/** All features of a server, each kind in the order in which it was defined. */
export interface FeatureRegistry {
  /** Of all kinds, as they were given. */
  readonly features: readonly Feature[];
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly resources: readonly Resource[];
  readonly resourceTemplates: readonly ResourceTemplate[];
  readonly sessionJobs: readonly SessionJob[];
  readonly listings: FeatureListings;
  /** Differs when what is listed differs, or the text of the functions that the features were made of. */
  readonly fingerprint: string;
  tool(name: string): Tool | undefined;
  /** The same, also in a process that lists no tools of other servers: for what is started without a client. */
  known(name: string): Tool | undefined;
  prompt(name: string): Prompt | undefined;
  /** A resource by its URI; one of a template when no resource has it. */
  findResource(uri: string): FoundResource | undefined;
  /** A template by its own text. */
  resourceTemplate(uriTemplate: string): ResourceTemplate | undefined;
  sessionJob(name: string): SessionJob | undefined;
  /** A resource that is not among those that change, and that one of them may have. */
  resource(uri: string): Resource | undefined;
  /** How to use those that change, for the models of clients. */
  readonly instructions: string | undefined;
  /** The other server that all of them are of, if there is one. */
  readonly identity: Implementation | undefined;
  /** Whether any of this may be another one later. What depends on it then reads it each time. */
  readonly mayChange: boolean;
  /** Calls the listener after each change. @returns a function that ends that */
  onChange(listener: () => void): () => void;
  /** A client wants to know when this resource changes. @param account of the client */
  watch(uri: string, account: string): void;
  /** A durable tool, also one that is not, or no longer, among the features of a source. */
  durable(name: string): DurableTool | undefined;
  /** The workflow behind a durable tool; `undefined` for inline and unknown ones. */
  readonly workflow: WorkflowRegistry;
}

function unlisted(resource: Resource | undefined): FoundResource | undefined {
  return resource === undefined ? undefined : { resource };
}

/** What is made of a list of features. */
type Index = Omit<FeatureRegistry, 'mayChange' | 'onChange' | 'watch' | 'resource' | 'instructions' | 'identity'>;

const UNCHANGING = {
  mayChange: false,
  onChange: () => () => undefined,
  watch: () => undefined,
  resource: () => undefined,
  instructions: undefined,
  identity: undefined,
} as const;

/**
 * @param given features, or a source of features that change
 * @throws RangeError when two features of a kind share what they are called by, or one is called by what no client could send
 */
export function createFeatureRegistry(given: readonly Feature[] | FeatureSource): FeatureRegistry {
  if (!isSource(given)) return { ...indexOf(given), ...UNCHANGING };
  let index = indexOf(given.features);
  const now = (): Index => {
    if (index.features !== given.features) index = indexOf(given.features);
    return index;
  };
  const members = ['features', 'tools', 'prompts', 'resources', 'resourceTemplates', 'sessionJobs', 'listings', 'fingerprint'] as const;
  const registry: Omit<FeatureRegistry, (typeof members)[number]> = {
    mayChange: true,
    onChange: (listener) => given.onChange(listener),
    watch: (uri, account) => given.watch?.(uri, account),
    resource: (uri) => given.resource?.(uri),
    get instructions() {
      return given.instructions;
    },
    get identity() {
      return given.identity;
    },
    tool: (name) => now().tool(name),
    known: (name) => now().tool(name) ?? given.known?.(name),
    prompt: (name) => now().prompt(name),
    findResource: (uri) => now().findResource(uri) ?? unlisted(given.resource?.(uri)),
    resourceTemplate: (uriTemplate) => now().resourceTemplate(uriTemplate),
    sessionJob: (name) => now().sessionJob(name),
    durable: (name) => now().durable(name) ?? given.durable?.(name),
    workflow: (name) => registry.durable(name)?.workflow,
  };
  const getters = members.map((member) => [member, { get: () => now()[member], enumerable: true }] as const);
  return Object.defineProperties(registry, Object.fromEntries(getters)) as FeatureRegistry;
}

/** The registry with its features changed by a function, also when they change later. */
export function changedRegistry(registry: FeatureRegistry, change: (features: readonly Feature[]) => readonly Feature[]): FeatureRegistry {
  return createFeatureRegistry(registry.mayChange ? changedSource(registry, change) : change(registry.features));
}

function indexOf(features: readonly Feature[]): Index {
  const tools = ofKind(features, 'tool');
  const prompts = ofKind(features, 'prompt');
  const resources = ofKind(features, 'resource');
  const resourceTemplates = ofKind(features, 'resource-template');
  const sessionJobs = ofKind(features, 'session-job');
  const toolsByName = byKey('tools', tools, ({ name }) => name);
  const promptsByName = byKey('prompts', prompts, ({ name }) => name);
  const resourcesByUri = byKey('resources', resources, ({ uri }) => uri, FIELD_LIMITS.uriBytes);
  const templatesByText = byKey('resource templates', resourceTemplates, ({ uriTemplate }) => uriTemplate, FIELD_LIMITS.uriBytes);
  const jobsByName = byKey('session jobs', sessionJobs, ({ name }) => name);
  const durable = (name: string): DurableTool | undefined => {
    const tool = toolsByName.get(name);
    return tool === undefined || tool.taskSupport === 'forbidden' ? undefined : tool;
  };
  return {
    features,
    tools,
    prompts,
    resources,
    resourceTemplates,
    sessionJobs,
    listings: {
      tools: createListings(tools),
      prompts: createListings(prompts),
      resources: createListings(resources),
      resourceTemplates: createListings(resourceTemplates.filter(({ isListed }) => isListed)),
    },
    fingerprint: fingerprintOf(features),
    tool: (name) => toolsByName.get(name),
    known: (name) => toolsByName.get(name),
    prompt: (name) => promptsByName.get(name),
    findResource(uri) {
      const resource = resourcesByUri.get(uri);
      return resource === undefined ? findByTemplate(resourceTemplates, uri) : { resource };
    },
    resourceTemplate: (uriTemplate) => templatesByText.get(uriTemplate),
    sessionJob: (name) => jobsByName.get(name),
    durable,
    workflow: (name) => durable(name)?.workflow,
  };
}

function ofKind<Kind extends Feature['kind']>(features: readonly Feature[], kind: Kind): readonly Extract<Feature, { kind: Kind }>[] {
  return features.filter((feature): feature is Extract<Feature, { kind: Kind }> => feature.kind === kind);
}

function byKey<T>(
  kind: string,
  features: readonly T[],
  keyOf: (feature: T) => string,
  maxBytes: number = FIELD_LIMITS.nameBytes,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  for (const feature of features) {
    const key = keyOf(feature);
    const problem = tooLong(`What one of the ${kind} is named by`, key, maxBytes);
    if (problem !== undefined) throw new RangeError(`${problem}.`);
    if (found.has(key)) throw new RangeError(`Two ${kind} are named "${key}".`);
    found.set(key, feature);
  }
  return found;
}

function findByTemplate(templates: readonly ResourceTemplate[], uri: string): FoundResource | undefined {
  for (const template of templates) {
    const variables = template.match(uri);
    if (variables !== undefined) return { template, variables };
  }
  return undefined;
}
