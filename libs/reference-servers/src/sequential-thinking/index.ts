/** Serves the tool of the reference server Sequential Thinking as a feature package. */
import { sequentialThinking } from './sequential-thinking.js';
import { readSettings } from './settings.js';

export { sequentialThinking } from './sequential-thinking.js';

/** Read by `loadFeatures`. */
export const features = [sequentialThinking(readSettings(process.env).isLogged)];
