/**
 * Calls `make`, and remembers the results of the latest keys, at most `most` of them.
 *
 * @param make of a key, and of what is the same whenever the key is
 */
export function remembered<V, Given extends readonly unknown[] = []>(
  most: number,
  make: (key: string, ...given: Given) => V,
): (key: string, ...given: Given) => V {
  const known = new Map<string, V>();
  return (key, ...given) => {
    const present = known.get(key);
    if (present !== undefined) return present;
    const made = make(key, ...given);
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}
