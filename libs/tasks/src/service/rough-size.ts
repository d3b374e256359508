/** Quotes, a comma and a colon, or a number or a constant. */
const BYTES_OF_A_VALUE = 6;

/** About how long the JSON of the value is, without making it: much faster for long strings. */
export function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length + BYTES_OF_A_VALUE;
  if (typeof value !== 'object' || value === null) return BYTES_OF_A_VALUE;
  let size = BYTES_OF_A_VALUE;
  if (Array.isArray(value)) for (const member of value as unknown[]) size += roughSize(member);
  else for (const [name, member] of Object.entries(value)) size += name.length + roughSize(member);
  return size;
}
