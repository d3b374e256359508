import { bannerLines } from '../banner.js';
import { version } from '../version.js';
import { requireFreePort } from '../port.js';
import { keepOperator, type KeptOperator } from '../serve/kept-operator.js';
import { serveInKeptProcesses, type Serving } from '../serve/kept-processes.js';
import { readSettings } from '../settings.js';
import { noteServed } from '../served.js';
import { requireStore } from '../store.js';
import type { Given } from '../command-line/command.js';
import { serveAndReload } from '../watch/reload-on-change.js';
import { withNamedFeatures } from '../with-features.js';
import type { Terminal } from '../terminal.js';
import { type ServeOptions, serveUntilStopped, stopped } from './serve-until-stopped.js';

/**
 * `longhaul start [--watch] [MODULE…]`: gateway and worker with one command; ends both when it ends.
 *
 * @throws UserError when it cannot start to serve
 */
export async function start(given: Given, terminal: Terminal): Promise<number> {
  const { env } = withNamedFeatures(terminal, given);
  // The processes write through this one, so that they cannot see who reads.
  const settings = readSettings({ ...(process.stdout.isTTY && { LOG_FORMAT: 'pretty' }), ...env }, terminal.cwd);
  return serveUntilStopped(settings, terminal, async (options) => {
    const { signal } = options;
    const { host, port, tokens } = settings.gateway;
    if (port !== 0) await requireFreePort(port, host);
    const { opsPort = 0, opsHost } = settings.operator;
    if (opsPort !== 0) await requireFreePort(opsPort, opsHost, 'LONGHAUL_OPS_PORT');
    const data = await requireStore(settings, terminal.cwd);
    const { url, failed } = await serve(options, given.has('watch'));
    await noteServed(settings, terminal.cwd, options.log);
    const operator = await serveOperator(options);
    signal.throwIfAborted();
    for (const line of bannerLines({ version: version(), url, needsToken: tokens !== undefined, data, operator })) terminal.out(line);
    return Promise.race([stopped(signal), failed, ...(operator === undefined ? [] : [operator.failed])]);
  });
}

/** The operator API, if it is wanted. */
async function serveOperator({ settings, cleanup, signal, log }: ServeOptions): Promise<KeptOperator | undefined> {
  if (settings.operator.opsPort === undefined) return undefined;
  return keepOperator(settings, cleanup, { signal, log });
}

function serve({ settings, terminal, cleanup, signal, log }: ServeOptions, watches: boolean): Promise<Serving> {
  if (!watches) return serveInKeptProcesses(settings, cleanup, { signal, log });
  return serveAndReload(settings, { cwd: terminal.cwd, log, cleanup, signal }, (observer) =>
    serveInKeptProcesses(settings, cleanup, { signal, log, observer }),
  );
}
