/**
 * Lists tools that must be called as tasks as optional, for clients that cannot call tasks. Under both protocol versions, such a client
 * must not call a required tool plainly, and is refused if it does. The server always decides whether a durable tool runs as a task, and a
 * plain call can wait for it.
 */
import { changedRegistry, type Feature, type FeatureRegistry } from '@longhaul/mcp-features';

/** The features, with all durable tools listed and served as `optional`. */
export function withOptionalTasks(registry: FeatureRegistry): FeatureRegistry {
  if (!registry.mayChange && registry.tools.every(({ taskSupport }) => taskSupport !== 'required')) return registry;
  return changedRegistry(registry, (features) => features.map(asOptional));
}

function asOptional(feature: Feature): Feature {
  if (feature.kind !== 'tool' || feature.taskSupport !== 'required') return feature;
  const { listing } = feature;
  return { ...feature, taskSupport: 'optional', listing: { ...listing, execution: { ...listing.execution, taskSupport: 'optional' } } };
}
