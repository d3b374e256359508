/**
 * Writes a value as JSON that is the same for equal values, independent of the order of their members. Digests of it are stored, and all
 * processes of a deployment must compute the same ones: the text for a value never changes.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
