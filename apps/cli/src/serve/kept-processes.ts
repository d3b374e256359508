import { rmSync } from 'node:fs';
import type { Writable } from 'node:stream';

import { AFTER_DRAIN_MS, type AppObserver, startApp, type AppProcess } from '../processes/app-process.js';
import type { Cleanup } from '../processes/cleanup.js';
import { keepApp, type KeepOptions, type KeptApp } from '../processes/kept-app.js';
import type { Settings } from '../settings.js';

/** Where the gateway listens, when all processes end, and where log lines go. */
export interface KeptProcessesOptions {
  /** For one client, which has standard output to itself and need not wait for the worker. Absent: the address of the settings. */
  readonly socketPath?: string;
  /** Where their standard output goes. @defaultValue with a socket standard error, otherwise that of this process */
  readonly out?: Writable;
  /** Aborts when all is to end. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Hears what gateway and worker import, and of tasks that do not fit their code. */
  readonly observer?: AppObserver;
}

/** Gateway and worker. */
export interface Serving {
  /** The MCP endpoint. */
  readonly url: string;
  /** Resolves with what happened when one of them was never ready. */
  readonly failed: Promise<string>;
  /**
   * Starts gateway and worker once more, and ends the running ones when the new ones have loaded their features. Tasks continue.
   *
   * @param changes of the environment
   * @throws UserError why the features cannot be loaded; then everything stays as it is
   */
  reload(changes: NodeJS.ProcessEnv): Promise<void>;
}

/**
 * Runs gateway and worker as separate processes, which share a data file or Redis and are started again when they die. Jobs of the worker
 * wait there until then.
 *
 * @throws UserError when one of them does not start
 */
export async function serveInKeptProcesses(
  settings: Settings,
  cleanup: Cleanup,
  { socketPath, out = socketPath === undefined ? undefined : process.stderr, signal, log, observer }: KeptProcessesOptions,
): Promise<Serving> {
  const env: NodeJS.ProcessEnv = { ...settings.env };
  const common = { env, ...(observer !== undefined && { observer }), ...(out !== undefined && { out }) };
  const apps: KeptApp[] = [];
  const keep = (start: (takesOver: boolean) => AppProcess, onTrouble?: KeepOptions['onTrouble']): KeptApp => {
    const app = keepApp({ start, signal, log, ...(onTrouble !== undefined && { onTrouble }) });
    apps.push(app);
    return app;
  };
  const graceMs = settings.gateway.drainMs + AFTER_DRAIN_MS;
  cleanup.add(async () => {
    await Promise.all(apps.map((app) => app.stop(graceMs)));
  });
  cleanup.onInsist(() => {
    for (const app of apps) app.kill();
  });
  const gateway = keep((takesOver) => {
    // One that was killed has left its file behind; a pipe of Windows is none.
    if (socketPath !== undefined && process.platform !== 'win32') rmSync(socketPath, { force: true });
    const args = [...(socketPath === undefined ? [] : [socketPath]), ...(takesOver ? ['--take-over'] : [])];
    return startApp({ ...common, name: 'gateway', args });
  });
  const keepWorker = (): KeptApp =>
    keep(
      () => startApp({ ...common, env: ofWorker(env), name: 'worker' }),
      (isFailing) => gateway.tell({ type: 'worker', isFailing }),
    );
  const early = socketPath === undefined ? keepWorker() : undefined;
  const [{ url }] = await Promise.all([gateway.ready, early?.ready]);
  if (url === undefined) throw new Error('The gateway does not say where it listens.');
  // With port 0 it would listen on another one when it is started again, and its clients would not find it.
  env['PORT'] = new URL(url).port;
  const worker = early ?? keepWorker();
  const reload = (changes: NodeJS.ProcessEnv): Promise<void> => replaceApps([gateway, worker], env, changes, graceMs);
  return { url, failed: Promise.race([gateway.failed, worker.failed]), reload };
}

/** Both on one machine, they cannot be asked for their metrics at one port: the worker has the next one. */
function ofWorker(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const port = Number(env['LONGHAUL_METRICS_PORT'] || undefined);
  return Number.isInteger(port) ? { ...env, LONGHAUL_METRICS_PORT: String(port + 1) } : env;
}

/** All of them or none. @throws UserError when one of the new ones cannot load everything */
async function replaceApps(apps: readonly KeptApp[], env: NodeJS.ProcessEnv, changes: NodeJS.ProcessEnv, graceMs: number): Promise<void> {
  const before = { ...env };
  Object.assign(env, changes);
  const replacements = apps.map((app) => app.replacement());
  try {
    await Promise.all(replacements.map(({ loaded }) => loaded));
  } catch (error) {
    for (const replacement of replacements) replacement.drop();
    Object.assign(env, before);
    throw error;
  }
  await Promise.all(replacements.map((replacement) => replacement.takeOver(graceMs)));
}
