import { completersByName } from './completion.js';
import { madeOf } from './feature-code.js';
import { statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import { resourceResultOf } from './resource-result.js';
import { omitUndefined } from './omit-undefined.js';
import { uriMatcherOf } from './uri-template-matcher.js';
/**
 * Defines a resource for each URI of a template.
 *
 * @throws RangeError when the template cannot be distinguished from other URIs, or is broken
 */
export function defineResourceTemplate(spec) {
    const { isListed = true } = spec;
    const scope = { kind: 'resource-template', name: spec.name };
    const match = matcherOf(spec.uriTemplate);
    const made = {
        kind: 'resource-template',
        name: spec.name,
        uriTemplate: spec.uriTemplate,
        ...statedNeeds(spec),
        isListed,
        listing: listingOf(spec),
        completers: completersByName(scope, spec.complete),
        list: spec.list === undefined ? undefined : async (context) => (await inFeature(scope, () => spec.list?.(context))) ?? [],
        match: (uri) => decoded(match(uri)),
        async read(variables, context, uri) {
            const value = await inFeature(scope, () => spec.read(variables, context, uri));
            return value === undefined ? undefined : resourceResultOf(value, { uri, mimeType: spec.mimeType });
        },
    };
    return madeOf(made, spec);
}
/** Every other field that the protocol has for a template is taken over as it is. */
function listingOf(spec) {
    const { uriTemplate, name, title, description, mimeType, annotations, icons, _meta } = spec;
    return omitUndefined({ uriTemplate, name, title, description, mimeType, annotations, icons, _meta });
}
/** @throws RangeError that names the template */
function matcherOf(uriTemplate) {
    try {
        return uriMatcherOf(uriTemplate);
    }
    catch (error) {
        throw new RangeError(`URI template "${uriTemplate}": ${error.message}`, { cause: error });
    }
}
function decoded(variables) {
    if (variables === undefined)
        return undefined;
    try {
        return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, decodeURIComponent(value)]));
    }
    catch {
        return undefined; // Not a URI: an escape in it is broken.
    }
}
//# sourceMappingURL=define-resource-template.js.map