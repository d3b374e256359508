/**
 * Ends gateway and worker when their launcher has ended. It is preloaded into them (`--import`). The channel to the launcher closes when
 * the launcher has ended for any reason. An app that watches the channel ends by itself. Any other app, and an app that is still starting,
 * ends as on SIGTERM. A process that still runs some time after its own drain deadline is killed.
 */
const drainMs = Number(process.env['LONGHAUL_DRAIN_MS'] ?? '') || 10_000;
const KILL_AFTER_DRAIN_MS = 5_000;

process.once('disconnect', () => {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), drainMs + KILL_AFTER_DRAIN_MS).unref();
  // This listener has been taken off already: it is the app's own that counts. A second request would mean "at once" to it.
  if (process.listenerCount('disconnect') === 0) process.kill(process.pid, 'SIGTERM');
});
// Listening keeps the channel open; it must not keep a process running that has nothing left to do.
process.channel?.unref();
