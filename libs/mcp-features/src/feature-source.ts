/**
 * Features that change while a process runs, such as those of other servers. A source and a list of features are used alike: what is made of
 * them is made again after a change, and not before.
 */
import type { Workflow } from '@longhaul/tasks';
import type { Feature } from './feature.js';

/** A source of features that change. */
export interface FeatureSource {
  /** As they are now. The array stays the same one until they change. */
  readonly features: readonly Feature[];
  /** Calls the listener after each change. @returns a function that ends that */
  onChange(listener: () => void): () => void;
  /** The workflow of a task whose tool is not, or no longer, among the features. */
  workflow?(tool: string): Workflow | undefined;
  /** A client wants to know when this resource changes. */
  watch?(uri: string): void;
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
    workflow: (tool) => source.workflow?.(tool),
    watch: (uri) => source.watch?.(uri),
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
    workflow: (tool) => sources.map((source) => source.workflow?.(tool)).find((workflow) => workflow !== undefined),
    watch: (uri) => sources.forEach((source) => source.watch?.(uri)),
  };
}

/** What no two features share, such as `tool "echo"`. */
function keyOf(feature: Feature): string {
  const name = feature.kind === 'resource' ? feature.uri : feature.kind === 'resource-template' ? feature.uriTemplate : feature.name;
  return `${feature.kind.replace('-', ' ')} ${JSON.stringify(name)}`;
}
