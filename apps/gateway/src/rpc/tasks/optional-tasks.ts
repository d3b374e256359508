/**
 * Tools that their author wants to be called as tasks only, for clients that cannot: a client must not call a tool plainly that is
 * listed as required, and is refused if it does, in both protocol versions. Whether a durable tool runs as a task is up to the server
 * in any case, and a plain call can wait for it.
 */
import { createFeatureRegistry, type Feature, type FeatureRegistry } from '@longhaul/mcp-features';

/** The features, of which all durable tools are listed and served as `optional`. */
export function withOptionalTasks(registry: FeatureRegistry): FeatureRegistry {
  if (registry.tools.every(({ taskSupport }) => taskSupport !== 'required')) return registry;
  return createFeatureRegistry(registry.features.map(asOptional));
}

function asOptional(feature: Feature): Feature {
  if (feature.kind !== 'tool' || feature.taskSupport !== 'required') return feature;
  const { listing } = feature;
  return { ...feature, taskSupport: 'optional', listing: { ...listing, execution: { ...listing.execution, taskSupport: 'optional' } } };
}
