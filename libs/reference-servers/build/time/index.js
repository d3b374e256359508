/** The tools of the reference server Time as a feature package. */
import { readSettings } from './settings.js';
import { timeTools } from './time-tools.js';
export { timeTools } from './time-tools.js';
/** Read by `loadFeatures`. */
export const features = timeTools(readSettings(process.env));
//# sourceMappingURL=index.js.map