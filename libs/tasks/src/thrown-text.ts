/**
 * What is said of something that code has thrown, which may be anything: the message of an error, a text as it is, and of anything else
 * what it is. It never is empty.
 */
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
