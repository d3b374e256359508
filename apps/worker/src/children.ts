import { callableTool, type FeatureRegistry } from '@longhaul/mcp-features';
import { ownerLimitsOf, type Tenants } from '@longhaul/sessions';
import type { ChildOptions } from '@longhaul/tasks';
import type { WorkerConfig } from './config.js';

/** How tasks of this worker start other tasks: the tools that it knows, within the limits of the owner. */
export function childrenBy(config: WorkerConfig, features: FeatureRegistry, tenants: Tenants): ChildOptions {
  const { ownerLimits, childBounds, maxTtlMs } = config;
  return { tool: (name) => callableTool(features, name, maxTtlMs), limitsOf: ownerLimitsOf(ownerLimits, tenants), bounds: childBounds };
}
