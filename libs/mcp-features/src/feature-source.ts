/**
 * Features that change while a process runs, such as those of other servers. A source and a list of features are used alike: what is made of
 * them is made again after a change, and not before.
 */
import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import type { Resource } from './define-resource.js';
import type { Feature } from './feature.js';
import type { DurableTool, Tool } from './tool.js';

/** A source of features that change. */
export interface FeatureSource {
  /** As they are now. The array stays the same one until they change. */
  readonly features: readonly Feature[];
  /** Calls the listener after each change. @returns a function that ends that */
  onChange(listener: () => void): () => void;
  /** A tool that is not among the features, because this process lists none. */
  known?(name: string): Tool | undefined;
  /** The tool of a task that is not, or no longer, among the features. */
  durable?(name: string): DurableTool | undefined;
  /** A client wants to know when this resource changes. @param account of the client */
  watch?(uri: string, account: string): void;
  /** A resource that is not, or may not be, among the features. */
  resource?(uri: string): Resource | undefined;
  /** How to use them, for the models of clients. */
  readonly instructions?: string | undefined;
  /** The server that all of them are of, if there is one. Clients are shown its name and its icons. */
  readonly identity?: Implementation | undefined;
}

export function isSource(features: readonly Feature[] | FeatureSource): features is FeatureSource {
  return !Array.isArray(features);
}

/** The source with its features changed by a function, which runs once for each change. */
export function changedSource(source: FeatureSource, change: (features: readonly Feature[]) => readonly Feature[]): FeatureSource {
  let last: { readonly given: readonly Feature[]; readonly made: readonly Feature[] } | undefined;
  return {
    get features() {
      const { features: given } = source;
      if (last?.given !== given) last = { given, made: change(given) };
      return last.made;
    },
    onChange: (listener) => source.onChange(listener),
    known: (name) => source.known?.(name),
    durable: (name) => source.durable?.(name),
    watch: (uri, account) => source.watch?.(uri, account),
    resource: (uri) => source.resource?.(uri),
    get instructions() {
      return source.instructions;
    },
    get identity() {
      return source.identity;
    },
  };
}

/**
 * Features that stay, with those of sources. What has the name of an earlier feature of its kind is left out.
 *
 * @param onLeftOut is told of each, once
 */
export function joinedSource(
  fixed: readonly Feature[],
  sources: readonly FeatureSource[],
  onLeftOut: (line: string) => void = () => undefined,
): FeatureSource {
  const told = new Set<string>();
  let last: { readonly given: readonly (readonly Feature[])[]; readonly made: readonly Feature[] } | undefined;
  const join = (lists: readonly (readonly Feature[])[]): readonly Feature[] => {
    const found = new Map<string, Feature>();
    for (const feature of lists.flat()) {
      const key = keyOf(feature);
      if (!found.has(key)) found.set(key, feature);
      else if (!told.has(key)) {
        told.add(key);
        onLeftOut(`A ${key} of another server is left out: there is one of that name.`);
      }
    }
    return [...found.values()];
  };
  return {
    get features() {
      const given = [fixed, ...sources.map(({ features }) => features)];
      if (last?.given.every((list, index) => list === given[index]) !== true) last = { given, made: join(given) };
      return last.made;
    },
    onChange(listener) {
      const ends = sources.map((source) => source.onChange(listener));
      return () => ends.forEach((end) => end());
    },
    known: (name) => sources.map((source) => source.known?.(name)).find((tool) => tool !== undefined),
    durable: (name) => sources.map((source) => source.durable?.(name)).find((tool) => tool !== undefined),
    watch: (uri, account) => sources.forEach((source) => source.watch?.(uri, account)),
    resource: (uri) => sources.map((source) => source.resource?.(uri)).find((resource) => resource !== undefined),
    get instructions() {
      return joinedInstructions(sources.map(({ instructions }) => instructions));
    },
    get identity() {
      return fixed.length === 0 && sources.length === 1 ? sources[0]?.identity : undefined;
    },
  };
}

/** All of them, one after the other; nothing if there are none. */
export function joinedInstructions(parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined && part !== '');
  return given.length === 0 ? undefined : given.join('\n\n');
}

/** What no two features share, such as `tool "echo"`. */
function keyOf(feature: Feature): string {
  const name = feature.kind === 'resource' ? feature.uri : feature.kind === 'resource-template' ? feature.uriTemplate : feature.name;
  return `${feature.kind.replace('-', ' ')} ${JSON.stringify(name)}`;
}
