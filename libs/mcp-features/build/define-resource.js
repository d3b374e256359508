import { madeOf } from './feature-code.js';
import { statedNeeds } from './needs.js';
import { inFeature } from './feature-scope.js';
import { resourceResultOf } from './resource-result.js';
import { omitUndefined } from './omit-undefined.js';
/** Defines a resource with a fixed URI. */
export function defineResource(spec) {
    const resource = {
        kind: 'resource',
        name: spec.name,
        uri: spec.uri,
        ...statedNeeds(spec),
        listing: listingOf(spec),
        async read(uri, context) {
            const value = await inFeature({ kind: 'resource', name: spec.name }, () => spec.read(uri, context));
            return resourceResultOf(value, { uri, mimeType: spec.mimeType });
        },
    };
    return madeOf(resource, spec);
}
/** Every other field that the protocol has for a resource is taken over as it is. */
function listingOf(spec) {
    const { uri, name, title, description, mimeType, size, annotations, icons, _meta } = spec;
    return omitUndefined({ uri, name, title, description, mimeType, size, annotations, icons, _meta });
}
//# sourceMappingURL=define-resource.js.map