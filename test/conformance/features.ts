/**
 * What the official conformance suite expects to find at a server. Gateways and workers load this file through
 * `LONGHAUL_FEATURES`, so it and its parts have only types that Node strips, and imports with the names of the files.
 * What only one revision of the protocol expects is a part of its own.
 */
import { askingTools } from './asking-tools.ts';
import { diagnosticTools } from './diagnostic-tools.ts';
import { inputFeatures } from './input-tools.ts';
import { jsonSchemaTool } from './json-schema-tool.ts';
import { prompts } from './prompts.ts';
import { resources } from './resources.ts';
import { taskTools } from './task-tools.ts';
import { tools } from './tools.ts';

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
