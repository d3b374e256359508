/** What can be read from what is typed into a field. */
/** The limits as they are said, such as `from 1 to 5`; empty without any. */
export function range(least, most) {
    if (least !== undefined && most !== undefined)
        return least === most ? `exactly ${least}` : `from ${least} to ${most}`;
    if (least !== undefined)
        return `at least ${least}`;
    return most === undefined ? '' : `at most ${most}`;
}
/** Whether a number lies between the limits, which belong to it. */
export function isWithin(value, least, most) {
    return value >= (least ?? -Infinity) && value <= (most ?? Infinity);
}
//# sourceMappingURL=reading.js.map