import type { Cleanup } from '../processes/cleanup.js';
import type { Settings } from '../settings.js';
import type { Serving } from './serving.js';

/** Gateway and worker in this very process, on the in-memory adapters. */
export async function serveInOneProcess(_env: NodeJS.ProcessEnv, _settings: Settings, _cleanup: Cleanup): Promise<Serving> {
  throw new Error('not there yet');
}
