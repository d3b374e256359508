/** Serves the tools and the resource of the reference server Memory as a feature package. */
import { graphResource } from './graph-resource.js';
import { changingTools } from './changing-tools.js';
import { readingTools } from './reading-tools.js';
import { readSettings } from './settings.js';

const settings = readSettings(process.env);

/** Read by `loadFeatures`. */
export const features = [...changingTools(settings), ...readingTools(settings), graphResource(settings)];
