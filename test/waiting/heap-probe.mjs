// Preloaded into the measured processes, which run with --expose-gc: answers how many bytes live objects take.
process.on('message', (said) => {
  if (typeof said !== 'object' || said === null || !('type' in said) || said.type !== 'heap?') return;
  globalThis.gc?.();
  process.send?.({ type: 'heap', bytes: process.memoryUsage().heapUsed });
});
