import { bannerLines, EPHEMERAL } from '../banner.js';
import { version } from '../version.js';
import { requireFreePort } from '../port.js';
import { createCleanup, type Cleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { chooseRedis, openRedis, type Redis } from '../redis/choose-redis.js';
import { serveInKeptProcesses } from '../serve/kept-processes.js';
import type { Serving } from '../serve/serving.js';
import { readSettings, type Settings } from '../settings.js';
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
 * `longhaul start [MODULE…]`: gateway, worker and Redis with one command; ends all of them when it ends.
 *
 * @throws UserError when it cannot start to serve
 */
export async function start(args: readonly string[], terminal: Terminal): Promise<number> {
  const { env, watches } = readFeatureArguments('start', args, terminal.env, true);
  const settings = readSettings(env, terminal.cwd);
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
  const { settings, terminal, cleanup, signal } = given;
  const { host, port } = settings.gateway;
  const choice = await chooseRedis(settings, cleanup);
  if (port !== 0) await requireFreePort(port, host);
  const redis = await openRedis(choice, terminal.cwd, cleanup, signal);
  const serving = await serve(redis, given);
  signal.throwIfAborted();
  const needsToken = settings.gateway.tokens !== undefined;
  for (const line of bannerLines({ version: version(), url: serving.url, needsToken, redis: redis?.label ?? EPHEMERAL }))
    terminal.out(line);
  // Without Redis the apps cannot record anything: there is nothing to drain.
  const redisFailed = redis?.failed?.finally(() => cleanup.insist());
  const failures = [serving.failed, redisFailed].filter((failed) => failed !== undefined);
  return Promise.race([stopped(signal), ...failures]);
}

async function serve(redis: Redis | undefined, { settings, terminal, cleanup, watches, signal }: Start): Promise<Serving> {
  const log = (line: string): void => terminal.err(`longhaul: ${line}`);
  if (redis !== undefined && watches)
    return serveAndReload(settings, { cwd: terminal.cwd, log, cleanup, signal }, (observer) =>
      serveInKeptProcesses(redis, settings, cleanup, { signal, log, observer }),
    );
  if (redis !== undefined) return serveInKeptProcesses(redis, settings, cleanup, { signal, log });
  if (watches) throw new UserError('--watch needs gateway and worker as processes of their own: install redis-server, or set REDIS_URL');
  // Loaded only here: the launcher of two processes does not need the libraries of both.
  const { serveInOneProcess } = await import('../serve/one-process.js');
  return serveInOneProcess(settings, cleanup);
}
