/** Waits for the value of a promise; resolves with nothing if the time limit ends before. */
export async function waitAtMost<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const over = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => over.resolve(undefined), ms);
  try {
    return await Promise.race([promise, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
