/** Preloaded into the measured processes: answers how much CPU time the process has used. */
process.on('message', (said: unknown) => {
  if (typeof said !== 'object' || said === null || !('type' in said) || said.type !== 'cpu?') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ type: 'cpu', micros: user + system });
});
