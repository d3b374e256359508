import { bannerLines } from '../banner.js';
import { version } from '../version.js';
import { requireFreePort } from '../port.js';
import { createCleanup, type Cleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { serveInKeptProcesses, type Serving } from '../serve/kept-processes.js';
import { readSettings, type Settings } from '../settings.js';
import { requireStore } from '../store.js';
import { UserError } from '../user-error.js';
import { serveAndReload } from '../watch/reload-on-change.js';
import type { Terminal } from './command.js';
import { readFeatureArguments } from './feature-arguments.js';
import { stopped } from './stopped.js';

interface Start {
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly cleanup: Cleanup;
  /** Whether to reload when a file changes. */
  readonly watches: boolean;
  readonly signal: AbortSignal;
}

/**
 * `longhaul start [MODULE…]`: gateway and worker with one command; ends both when it ends.
 *
 * @throws UserError when it cannot start to serve
 */
export async function start(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, watches } = readFeatureArguments('start', args, terminal.env, true);
  // The processes write through this one, so that they cannot see who reads.
  const settings = readSettings({ ...(process.stdout.isTTY && { LOG_FORMAT: 'pretty' }), ...env }, terminal.cwd);
  for (const warning of settings.warnings) terminal.err(`longhaul: ${warning}`);
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    const failure = await serveUntilEnd({ settings, terminal, cleanup, watches, signal: stop.signal });
    if (failure !== undefined) throw new UserError(failure);
  } catch (error) {
    // What a stop interrupts is no failure.
    if (!stop.signal.aborted) throw error;
  } finally {
    for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
    stop.dispose();
  }
  return 0;
}

/** @returns what went wrong, undefined when the user has stopped it */
async function serveUntilEnd(given: Start): Promise<string | undefined> {
  const { settings, terminal, signal } = given;
  const { host, port } = settings.gateway;
  if (port !== 0) await requireFreePort(port, host);
  const data = await requireStore(settings, terminal.cwd);
  const { url, failed } = await serve(given);
  signal.throwIfAborted();
  const needsToken = settings.gateway.tokens !== undefined;
  for (const line of bannerLines({ version: version(), url, needsToken, data })) terminal.out(line);
  return Promise.race([stopped(signal), failed]);
}

function serve({ settings, terminal, cleanup, watches, signal }: Start): Promise<Serving> {
  const log = (line: string): void => terminal.err(`longhaul: ${line}`);
  if (!watches) return serveInKeptProcesses(settings, cleanup, { signal, log });
  return serveAndReload(settings, { cwd: terminal.cwd, log, cleanup, signal }, (observer) =>
    serveInKeptProcesses(settings, cleanup, { signal, log, observer }),
  );
}
