/** Describes a thrown value: the message of an error, a text unchanged, and for anything else its kind. The description is never empty. */
export function thrownText(thrown: unknown): string {
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string')
    return thrown.message === '' ? `${'name' in thrown ? String(thrown.name) : 'An error'} without a message` : thrown.message;
  return `It threw ${named(thrown)}, which is no Error.`;
}

function named(thrown: unknown): string {
  if (typeof thrown === 'bigint' || typeof thrown === 'symbol' || typeof thrown === 'function') return `a ${typeof thrown}`;
  try {
    return JSON.stringify(thrown) ?? 'undefined';
  } catch {
    return 'an object that cannot be read';
  }
}
