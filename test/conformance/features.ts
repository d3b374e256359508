/**
 * What the official conformance suite expects to find at a server. Gateways and workers load this file through
 * `LONGHAUL_FEATURES`, so it and its parts have only types that Node strips, and imports with the names of the files.
 * What only one revision of the protocol expects is a part of its own.
 */
import { askingTools } from './asking-tools.js';
import { diagnosticTools } from './diagnostic-tools.js';
import { inputFeatures } from './input-tools.js';
import { jsonSchemaTool } from './json-schema-tool.js';
import { prompts } from './prompts.js';
import { resources } from './resources.js';
import { taskTools } from './task-tools.js';
import { tools } from './tools.js';

/** Under the names that the suite calls them by. */
export const features = [
  ...tools,
  jsonSchemaTool,
  ...askingTools,
  ...inputFeatures,
  ...diagnosticTools,
  ...taskTools,
  ...prompts,
  ...resources,
];
