/**
 * About how many characters a value has as JSON, without making it: escapes are not counted.
 *
 * @param enough counting may stop here
 */
export function jsonSize(value, enough = Number.POSITIVE_INFINITY) {
    if (typeof value === 'string')
        return value.length + 2;
    if (typeof value !== 'object' || value === null)
        return 5;
    let size = 2;
    for (const [name, member] of Object.entries(value)) {
        if (size >= enough)
            break;
        size += name.length + 4 + jsonSize(member, enough - size);
    }
    return size;
}
//# sourceMappingURL=json-size.js.map