/** The reference server's features, set by environment variables: what is served unless LONGHAUL_FEATURES names other modules. */
import { everything } from './everything.js';
import { readSettings } from './settings.js';
export { everything } from './everything.js';
export { instructions } from './instructions.js';
/** Read by `loadFeatures`. */
export const features = everything(readSettings(process.env));
//# sourceMappingURL=index.js.map