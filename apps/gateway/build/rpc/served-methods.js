import { isJsonObject } from '@longhaul/tasks';
import { traitsOf } from './methods.js';
/**
 * Those of the methods that a server serves, by their names.
 *
 * @param capabilities that it declares
 */
export function servedMethods(methods, capabilities) {
    return new Map(methods.filter(({ name }) => isServed(name, capabilities)).map((method) => [method.name, method]));
}
function isServed(name, capabilities) {
    let at = capabilities;
    for (const member of traitsOf(name).capability?.split('.') ?? [])
        at = isJsonObject(at) ? at[member] : undefined;
    return at !== undefined;
}
//# sourceMappingURL=served-methods.js.map