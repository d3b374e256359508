import { defineTool } from '@longhaul/mcp-features';
import schema from './json-schema-tool.json' with { type: 'json' };

/** Only ever listed: every keyword of its schema has to come through as it is written there. */
export const jsonSchemaTool = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Has an input schema with keywords of JSON Schema 2020-12.',
  input: { ...schema, type: 'object' },
  run: (args) => `JSON Schema 2020-12 tool called with: ${JSON.stringify(args)}`,
});
