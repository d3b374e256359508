/** Serves the tools of the reference server Time as a feature package. */
import { readSettings } from './settings.js';
import { timeTools } from './time-tools.js';

export { timeTools, type TimeToolsOptions } from './time-tools.js';

const settings = readSettings(process.env);

/** Read by `loadFeatures`. */
export const features = timeTools(settings);

/** Read by `loadFeatures`. */
export const { notices } = settings;
