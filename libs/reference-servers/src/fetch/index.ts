/** Serves the tool and the prompt of the reference server Fetch as a feature package. */
import { fetchFeatures } from './fetch-features.js';
import { readSettings } from './settings.js';

export { fetchFeatures } from './fetch-features.js';

/** Read by `loadFeatures`. */
export const features = fetchFeatures(readSettings(process.env));
