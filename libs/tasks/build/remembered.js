/**
 * `make` for the same keys again and again: remembers the results of the last ones, at most `most` of them.
 *
 * @param make of a key, and of what is the same whenever the key is
 */
export function remembered(most, make) {
    const known = new Map();
    return (key, ...given) => {
        const present = known.get(key);
        if (present !== undefined)
            return present;
        const made = make(key, ...given);
        if (known.size >= most)
            known.clear();
        known.set(key, made);
        return made;
    };
}
//# sourceMappingURL=remembered.js.map