/**
 * A value as JSON that is the same for the same value, in whatever order its members came. Digests of it are stored, and all processes
 * of a deployment agree in them: the text for a value does not change.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
