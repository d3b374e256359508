import { featuresOf } from '../decorators/features-of.js';
/**
 * A durable tool of a decorated class, or of a module.
 *
 * @param owner an instance of the class, or the `features` of the module
 * @param name as clients know it
 * @throws TypeError that names the durable tools that are there
 */
export function toolOf(owner, name) {
    const features = Array.isArray(owner) ? owner : featuresOf(owner);
    const tools = features.filter((feature) => feature.kind === 'tool').filter((tool) => tool.taskSupport !== 'forbidden');
    const found = tools.find((tool) => tool.name === name);
    if (found === undefined)
        throw new TypeError(`There is no durable tool "${name}"; there is ${tools.map((tool) => `"${tool.name}"`).join(', ') || 'none'}.`);
    return found;
}
//# sourceMappingURL=tool-of.js.map