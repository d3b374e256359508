import { requireFreePort } from '../port.js';
import { createCleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { keepOperator } from '../serve/kept-operator.js';
import { readSettings } from '../settings.js';
import { requireStore } from '../store.js';
import { UserError } from '../user-error.js';
import type { Terminal } from './command.js';
import { stopped } from './stopped.js';

/** Where it listens unless `LONGHAUL_OPS_PORT` says. */
const DEFAULT_PORT = '3010';

/**
 * `longhaul operator`: the operator API, in a process that is started again when it dies.
 *
 * @throws UserError when it cannot start to serve
 */
export async function operator(args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.length > 0) throw new UserError(`operator takes no arguments, got "${args[0]}" (settings are environment variables)`, 2);
  const settings = readSettings({ ...terminal.env, LONGHAUL_OPS_PORT: terminal.env['LONGHAUL_OPS_PORT'] || DEFAULT_PORT }, terminal.cwd);
  for (const warning of settings.warnings) terminal.err(`longhaul: ${warning}`);
  const cleanup = createCleanup();
  const stop = listenForStopSignals(() => cleanup.insist());
  try {
    const { opsPort = 0, opsHost } = settings.operator;
    if (opsPort !== 0) await requireFreePort(opsPort, opsHost, 'LONGHAUL_OPS_PORT');
    await requireStore(settings, terminal.cwd);
    const { url, tokenFile, failed } = await keepOperator(settings, cleanup, {
      signal: stop.signal,
      log: (line) => terminal.err(`longhaul: ${line}`),
    });
    stop.signal.throwIfAborted();
    terminal.out(`The operator API listens on ${url}.${tokenFile === undefined ? '' : ` Its token is in ${tokenFile}.`}`);
    const failure = await Promise.race([stopped(stop.signal), failed]);
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
