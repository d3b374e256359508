import { defineTool } from '@longhaul/mcp-features';

/** Only ever listed: every keyword of its schema has to come through as it is written here. */
export const jsonSchemaTool = defineTool({
  name: 'json_schema_2020_12_tool',
  description: 'Has an input schema with keywords of JSON Schema 2020-12.',
  input: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // A keyword of JSON Schema, not a method. oxlint-disable-next-line unicorn/no-thenable
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
  run: (args) => `JSON Schema 2020-12 tool called with: ${JSON.stringify(args)}`,
});
