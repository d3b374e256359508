import { featuresOf } from '../decorators/features-of.js';
import type { Feature } from '../feature.js';
import type { DurableTool } from '../tool.js';

/**
 * Finds a durable tool of a decorated class, or of a module.
 *
 * @param owner an instance of the class, or the `features` of the module
 * @param name as clients know it
 * @throws TypeError that names the available durable tools
 */
export function toolOf(owner: object | readonly Feature[], name: string): DurableTool {
  const features = Array.isArray(owner) ? (owner as readonly Feature[]) : featuresOf(owner);
  const tools = features.filter((feature) => feature.kind === 'tool').filter((tool) => tool.taskSupport !== 'forbidden');
  const found = tools.find((tool) => tool.name === name);
  if (found === undefined)
    throw new TypeError(`There is no durable tool "${name}"; there is ${tools.map((tool) => `"${tool.name}"`).join(', ') || 'none'}.`);
  return found;
}
