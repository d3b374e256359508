/** Serves the tools of the reference server Git as a feature package. */
import { gitTools } from './git-tools.js';
import { readSettings } from './settings.js';
import { checkWorker } from './worker-check.js';

export { gitTools, type GitToolsOptions } from './git-tools.js';

const { roots } = readSettings(process.env);

/** Read by `loadFeatures`. */
export const features = gitTools({ roots });

/** Read by `loadFeatures`. */
export const notices = roots.length === 0 ? ['The git tools are not served: LONGHAUL_GIT_ROOTS names no folder.'] : [];

/** Read by `loadFeatures`: what a worker needs to run the tools. */
export const prepareWorker = (): Promise<void> => checkWorker(roots);
