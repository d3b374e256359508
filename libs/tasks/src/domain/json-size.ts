/**
 * About how many characters a value has as JSON, without making it: escapes are not counted.
 *
 * @param enough counting may stop here
 */
export function jsonSize(value: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    if (size >= enough) break;
    size += name.length + 4 + jsonSize(member, enough - size);
  }
  return size;
}
