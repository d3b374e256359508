/** Lists the features of all tests, for a service that has some of each kind. */
import { createFeatureRegistry, type FeatureRegistry } from '@longhaul/mcp-features';
import { askingFeatures } from './asking-features.js';
import { changeFeatures } from './change-features.js';
import { jobFeatures } from './job-features.js';
import { listedFeatures } from './listed-features.js';
import { reportingFeatures } from './reporting-features.js';
import { testTools } from './tools.js';

const registries = [testTools, askingFeatures, listedFeatures, reportingFeatures, changeFeatures, jobFeatures];

export const allFeatures: FeatureRegistry = createFeatureRegistry(registries.flatMap(({ features }) => features));
