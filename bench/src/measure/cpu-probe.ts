/** Preloaded into the measured processes: reports how much CPU time and memory the process has used. */
process.on('message', (said: unknown) => {
  if (typeof said !== 'object' || said === null || !('type' in said) || said.type !== 'usage?') return;
  if ('collect' in said && said.collect === true) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ type: 'usage', micros: user + system, heapBytes: heapUsed + external });
});
// The measuring process has ended or has been killed.
process.on('disconnect', () => process.exit(1));
