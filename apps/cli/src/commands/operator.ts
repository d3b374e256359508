import { requireFreePort } from '../port.js';
import { keepOperator } from '../serve/kept-operator.js';
import { readSettings } from '../settings.js';
import { withServed } from '../served.js';
import { requireStore } from '../store.js';
import type { Terminal } from '../terminal.js';
import { serveUntilStopped, stopped } from './serve-until-stopped.js';

/** The port if `LONGHAUL_OPS_PORT` is not set. */
const DEFAULT_PORT = '3010';

/**
 * `longhaul operator`: the operator API, in a process that is started again when it dies.
 *
 * @throws UserError when it cannot start to serve
 */
export async function operator(terminal: Terminal): Promise<number> {
  const { env: given } = await withServed(terminal);
  const env = { ...given, LONGHAUL_OPS_PORT: given['LONGHAUL_OPS_PORT'] || DEFAULT_PORT };
  return serveUntilStopped(readSettings(env, terminal.cwd), terminal, async ({ settings, cleanup, signal, log }) => {
    const { opsPort = 0, opsHost } = settings.operator;
    if (opsPort !== 0) await requireFreePort(opsPort, opsHost, 'LONGHAUL_OPS_PORT');
    await requireStore(settings, terminal.cwd);
    const { url, tokenFile, failed } = await keepOperator(settings, cleanup, { signal, log });
    signal.throwIfAborted();
    terminal.out(`The operator API listens on ${url}.${tokenFile === undefined ? '' : ` Its token is in ${tokenFile}.`}`);
    return Promise.race([stopped(signal), failed]);
  });
}
