import { inFeature } from './feature-scope.js';
/** The protocol's limit of one answer. */
const MAX_VALUES = 100;
/**
 * The completers as clients may ask for them, by any name: not even those of every object's members are found.
 *
 * @param scope the feature that they are of
 */
export function completersByName(scope, completers = {}) {
    const scoped = Object.entries(completers).map(([name, completer]) => [
        name,
        completer === undefined ? undefined : (value, given, context) => inFeature(scope, () => completer(value, given, context, name)),
    ]);
    return Object.assign(Object.create(null), Object.fromEntries(scoped));
}
/** The values as the protocol has them: the first hundred, and how many there are, as far as that is known. */
export function completionOf(completion) {
    const { values, total, hasMore } = isList(completion)
        ? { values: completion, total: completion.length }
        : completion;
    const given = values.slice(0, MAX_VALUES);
    // If values are cut off, there are more, even if the completer says otherwise.
    const isMore = given.length < values.length || (hasMore ?? (total !== undefined && total > given.length));
    return { completion: { values: given, ...(total !== undefined && { total }), hasMore: isMore } };
}
function isList(completion) {
    return Array.isArray(completion);
}
//# sourceMappingURL=completion.js.map