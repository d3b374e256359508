/** All that an iterable gives. */
export async function collected(source) {
    const found = [];
    for await (const each of source)
        found.push(each);
    return found;
}
//# sourceMappingURL=collected.js.map