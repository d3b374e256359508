/** The bytes that the engine counts for an array or an object, a member of it, and a text. V8 takes about as much. */
const CONTAINER_BYTES = 24;
const MEMBER_BYTES = 8;
const TEXT_BYTES = 16;

/**
 * About how many bytes of memory a JSON value takes while it is held, which for many small objects is several times their size as JSON.
 * Texts count a byte for each character.
 */
export function heldBytes(value: unknown): number {
  if (typeof value === 'string') return TEXT_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return MEMBER_BYTES;
  let bytes = CONTAINER_BYTES;
  if (Array.isArray(value)) for (const item of value as unknown[]) bytes += MEMBER_BYTES + heldBytes(item);
  // Without a list of the entries: the value may be large.
  else for (const name in value) bytes += MEMBER_BYTES + heldBytes((value as Record<string, unknown>)[name]);
  return bytes;
}
