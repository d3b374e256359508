/** `make` for the same keys again and again: remembers the results of the last ones, at most `most` of them. */
export function remembered<V>(most: number, make: (key: string) => V): (key: string) => V {
  const known = new Map<string, V>();
  return (key) => {
    const present = known.get(key);
    if (present !== undefined) return present;
    const made = make(key);
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
}
