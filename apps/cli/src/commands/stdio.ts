import { version } from '../version.js';
import { serveInKeptProcesses } from '../serve/kept-processes.js';
import { noteServed } from '../served.js';
import { readSettings } from '../settings.js';
import { Bridge, MAX_LINE_BYTES } from '../stdio/bridge.js';
import { GatewayConnection } from '../stdio/gateway-connection.js';
import { gatewaySocket } from '../stdio/gateway-socket.js';
import { readLines } from '../stdio/lines.js';
import { type Output, reserveStandardOutput } from '../stdio/output.js';
import { requireStore } from '../store.js';
import { withDataOfUser } from '../user-data-folder.js';
import type { Given } from '../command-line/command.js';
import type { Terminal } from '../terminal.js';
import { withNamedFeatures } from '../with-features.js';
import { type ServeOptions, serveUntilStopped, stopped } from './serve-until-stopped.js';

/** Variables that only concern a gateway that others can reach. `HOST` in particular is set in many environments for another purpose. */
const NOT_FOR_STDIO = {
  HOST: '',
  PORT: '',
  LONGHAUL_TOKENS: '',
  LONGHAUL_ISSUERS: '',
  LONGHAUL_PUBLIC_URL: '',
  LONGHAUL_SCOPES: '',
  LONGHAUL_HEALTH_PORT: '',
  LONGHAUL_METRICS_PORT: '',
  LONGHAUL_STATELESS: '',
};

/** One client has all to itself: it may ask as much as it likes, and when it goes there is nothing left to wait for. */
const DEFAULTS = { LONGHAUL_MAX_OPEN_STREAMS: '1000', LONGHAUL_DRAIN_MS: '1000' };

/**
 * `longhaul stdio [MODULE…]`: speaks MCP on standard input and output. It ends, with everything that it has started, when its input ends,
 * on the notification `exit`, or on a signal. All output that is not an MCP message goes to standard error.
 *
 * @throws UserError when it cannot start to serve
 */
export async function stdio(given: Given, terminal: Terminal): Promise<number> {
  const { env } = withNamedFeatures({ ...terminal, env: environmentOf(terminal) }, given);
  const output = reserveStandardOutput();
  const settings = readSettings(withDataOfUser(env, terminal.cwd), terminal.cwd);
  return serveUntilStopped(settings, terminal, (options) => serveUntilEnd(options, output));
}

function environmentOf({ env }: Terminal): NodeJS.ProcessEnv {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  return { ...DEFAULTS, ...given, ...NOT_FOR_STDIO };
}

/** @returns what went wrong, undefined when the client or the user has ended it */
async function serveUntilEnd({ settings, terminal, cleanup, signal, log }: ServeOptions, output: Output): Promise<string | undefined> {
  // The last that is done.
  cleanup.add(() => output.flush());
  const data = await requireStore(settings, terminal.cwd);
  const socketPath = await gatewaySocket(cleanup);
  const { url, failed } = await serveInKeptProcesses(settings, cleanup, { socketPath, signal, log });
  await noteServed(settings, terminal.cwd, log);
  signal.throwIfAborted();
  terminal.err(`Longhaul ${version()} serves MCP on standard input and output; data: ${data}`);
  const bridge = new Bridge({ connection: new GatewayConnection(socketPath, url), output, log });
  const inputEnded = bridge.run(readLines(process.stdin, MAX_LINE_BYTES)).then(() => settings.gateway.drainMs);
  const nobodyListens = Promise.race([stopped(signal), output.closed]).then(() => 0);
  const end = await Promise.race([inputEnded, nobodyListens, failed]);
  // A signal that comes now means: do not wait for the orderly end.
  if (!signal.aborted) signal.addEventListener('abort', () => cleanup.insist(), { once: true });
  await bridge.close(typeof end === 'number' ? end : 0);
  return typeof end === 'number' ? undefined : end;
}
