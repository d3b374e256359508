/** Lists the features of the tests of revision 2026-07-28. */
import { createFeatureRegistry } from '@longhaul/mcp-features';
import { testTools } from '../gateway/tools.js';
import { inlineFeatures } from './inline-features.js';
import { taskTools } from './task-tools.js';

export const modernFeatures = createFeatureRegistry([...testTools.features, ...taskTools, ...inlineFeatures]);
