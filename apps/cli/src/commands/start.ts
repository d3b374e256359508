import { bannerLines } from '../banner.js';
import { version } from '../version.js';
import { requireFreePort } from '../port.js';
import { createCleanup, type Cleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { serveInKeptProcesses } from '../serve/kept-processes.js';
import { readSettings, type Settings } from '../settings.js';
import { requireStore } from '../store.js';
import { UserError } from '../user-error.js';
import type { Terminal } from './command.js';
import { stopped } from './stopped.js';

interface Start {
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly cleanup: Cleanup;
  readonly signal: AbortSignal;
}

/**
 * `longhaul start`: gateway and worker with one command; ends both when it ends.
 *
 * @throws UserError when it cannot start to serve
 */
export async function start(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length > 0) throw new UserError(`start takes no arguments, got "${args.join(' ')}" (settings are environment variables)`, 2);
  const settings = readSettings(terminal.env, terminal.cwd);
  for (const warning of settings.warnings) terminal.err(`longhaul: ${warning}`);
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    const failure = await serveUntilEnd({ settings, terminal, cleanup, signal: stop.signal });
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
async function serveUntilEnd({ settings, terminal, cleanup, signal }: Start): Promise<string | undefined> {
  const { host, port } = settings.gateway;
  if (port !== 0) await requireFreePort(port, host);
  const data = await requireStore(settings, terminal.cwd);
  const log = (line: string): void => terminal.err(`longhaul: ${line}`);
  const { url, failed } = await serveInKeptProcesses(settings, cleanup, { signal, log });
  signal.throwIfAborted();
  const needsToken = settings.gateway.tokens !== undefined;
  for (const line of bannerLines({ version: version(), url, needsToken, data })) terminal.out(line);
  return Promise.race([stopped(signal), failed]);
}
