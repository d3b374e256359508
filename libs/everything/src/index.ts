/**
 * Serves the reference server's features, configured by environment variables. They are served unless LONGHAUL_FEATURES names other
 * modules.
 */
import { everything } from './everything.js';
import { readSettings } from './settings.js';

export { everything, type EverythingOptions } from './everything.js';
export { instructions } from './instructions.js';

/** Read by `loadFeatures`. */
export const features = everything(readSettings(process.env));
