/** Deeper values are refused, also because they may be circular. */
const MAX_DEPTH = 500;
/**
 * Finds what JSON would drop or turn into something else. Members that are `undefined` are dropped by everybody,
 * and so they may be there; what has a `toJSON` of its own says itself what it is, except for a Date.
 *
 * @returns such as `.at.time is a Date`; nothing when the value can be recorded
 */
export function whyUnrecordable(value, depth = 0) {
    switch (typeof value) {
        case 'number':
            return Number.isFinite(value) ? undefined : ` is ${value}`;
        case 'bigint':
        case 'function':
        case 'symbol':
            return ` is a ${typeof value}`;
        case 'object':
            return value === null ? undefined : whyObjectUnrecordable(value, depth);
        default:
            return undefined;
    }
}
function whyObjectUnrecordable(value, depth) {
    if (depth > MAX_DEPTH)
        return ` is nested deeper than ${MAX_DEPTH} levels, or circular`;
    if (Array.isArray(value)) {
        for (const [index, item] of value.entries()) {
            const why = whyUnrecordable(item, depth + 1);
            if (why !== undefined)
                return atPlace(`[${index}]`, why, depth);
        }
        return undefined;
    }
    if (!(value instanceof Date) && 'toJSON' in value && typeof value.toJSON === 'function')
        return undefined;
    if (!isPlain(value))
        return ` is a ${value.constructor.name}`;
    for (const [name, member] of Object.entries(value)) {
        const why = whyUnrecordable(member, depth + 1);
        if (why !== undefined)
            return atPlace(`.${name}`, why, depth);
    }
    return undefined;
}
/** A circular value has no place that would be worth its name. */
function atPlace(place, why, depth) {
    return why.includes('circular') && depth > 0 ? why : place + why;
}
function isPlain(value) {
    const prototype = Object.getPrototypeOf(value);
    // An object of another realm has another Object.prototype, above which there is nothing either.
    return prototype === null || Object.getPrototypeOf(prototype) === null;
}
//# sourceMappingURL=recordable.js.map