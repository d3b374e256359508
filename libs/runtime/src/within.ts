/**
 * The result of the work, or the result or error of `onLate` if the work takes too long. Late work continues, and its result is ignored.
 * Until either has come, the process stays alive, and no timer stays behind afterwards. `AbortSignal.timeout` guarantees neither.
 */
export async function within<T, Late>(limitMs: number, work: Promise<T>, onLate: () => Late): Promise<T | Late> {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  try {
    return await Promise.race([work, over.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}
