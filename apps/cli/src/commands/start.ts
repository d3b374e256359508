import { bannerLines } from '../banner.js';
import { version } from '../cli.js';
import { requireFreePort } from '../port.js';
import { createCleanup, type Cleanup } from '../processes/cleanup.js';
import { listenForStopSignals } from '../processes/stop-signals.js';
import { chooseRedis, openRedis } from '../redis/choose-redis.js';
import { serveInOneProcess } from '../serve/one-process.js';
import type { Serving } from '../serve/serving.js';
import { serveInTwoProcesses } from '../serve/two-processes.js';
import { readSettings, type Settings } from '../settings.js';
import { UserError } from '../user-error.js';
import type { Command, Terminal } from './command.js';

interface Start {
  readonly settings: Settings;
  readonly terminal: Terminal;
  readonly cleanup: Cleanup;
  readonly signal: AbortSignal;
}

/** `longhaul start`: gateway, worker and Redis with one command; ends all of them when it ends. */
export const start: Command = {
  name: 'start',
  summary: 'Starts gateway and worker, and a private Redis if REDIS_URL is not set.',
  async run(args, terminal) {
    if (args.length > 0) throw new UserError(`start takes no arguments, got "${args.join(' ')}" (settings are environment variables)`, 2);
    const settings = readSettings(terminal.env, terminal.cwd);
    const cleanup = createCleanup();
    const stop = listenForStopSignals(() => cleanup.insist());
    try {
      const failure = await serveUntilEnd({ settings, terminal, cleanup, signal: stop.signal });
      if (failure !== undefined) throw new UserError(failure);
      return 0;
    } catch (error) {
      // What a stop interrupts is no failure.
      if (stop.signal.aborted) return 0;
      throw error;
    } finally {
      for (const failure of await cleanup.run()) terminal.err(`longhaul: while ending: ${String(failure)}`);
      stop.dispose();
    }
  },
};

/** @returns what went wrong, undefined when the user has stopped it */
async function serveUntilEnd({ settings, terminal, cleanup, signal }: Start): Promise<string | undefined> {
  const choice = await chooseRedis(settings, terminal.env, cleanup);
  if (settings.port !== 0) await requireFreePort(settings.port, settings.host);
  const redis = await openRedis(choice, terminal.cwd, cleanup, signal);
  const serving: Serving =
    redis === undefined
      ? await serveInOneProcess(terminal.env, settings, cleanup)
      : await serveInTwoProcesses(redis, terminal.env, settings, cleanup, signal);
  signal.throwIfAborted();
  for (const line of bannerLines({ version: version(), url: serving.url, redis: redis?.label ?? EPHEMERAL })) terminal.out(line);
  return Promise.race([stopped(signal), serving.failed, ...(redis?.failed ? [redis.failed] : [])]);
}

const EPHEMERAL =
  'none found: ephemeral, one process, all tasks are lost when it ends (install redis-server or set REDIS_URL to keep them)';

function stopped(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
