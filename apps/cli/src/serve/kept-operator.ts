import { AFTER_DRAIN_MS, startApp } from '../processes/app-process.js';
import type { Cleanup } from '../processes/cleanup.js';
import { keepApp } from '../processes/kept-app.js';
import type { Settings } from '../settings.js';
import type { KeptProcessesOptions } from './kept-processes.js';

/** Keeps the operator API running. */
export interface KeptOperator {
  readonly url: string;
  /** Where its token is, if it is one of its own. */
  readonly tokenFile?: string;
  /** Resolves with what happened when it was never ready. */
  readonly failed: Promise<string>;
}

/** Starts the operator API in a process of its own. @throws UserError when it does not start */
export async function keepOperator(
  settings: Settings,
  cleanup: Cleanup,
  { signal, log }: Pick<KeptProcessesOptions, 'signal' | 'log'>,
): Promise<KeptOperator> {
  const env: NodeJS.ProcessEnv = { ...settings.env };
  const app = keepApp({ start: () => startApp({ env, name: 'operator' }), signal, log });
  cleanup.add(() => app.stop(settings.gateway.drainMs + AFTER_DRAIN_MS));
  cleanup.onInsist(() => app.kill());
  const { url, tokenFile } = await app.ready;
  if (url === undefined) throw new Error('The operator API does not say where it listens.');
  // With port 0 it would listen on another one when it is started again.
  env['LONGHAUL_OPS_PORT'] = new URL(url).port;
  return { url, ...(tokenFile !== undefined && { tokenFile }), failed: app.failed };
}
