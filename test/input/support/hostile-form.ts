/** Defines a durable tool that asks by a form with a field of each kind, and has markup in every text of it. */
import { createFeatureRegistry, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

/** Markup that must come out as text: of an element, of an attribute, and of the end of either. */
export const MARKUP = `</style></title><script>alert(1)</script>"' onfocus=alert(2) x="`;

const form: ElicitRequestFormParams = {
  message: `How many?\n${MARKUP}`,
  requestedSchema: {
    type: 'object',
    properties: {
      count: { type: 'integer', title: `How many ${MARKUP}`, minimum: 1, maximum: 9 },
      [`name ${MARKUP}`]: { type: 'string', default: MARKUP, description: MARKUP },
      story: { type: 'string', default: 'It was a dark\nand stormy night.' },
      mail: { type: 'string', format: 'email' },
      page: { type: 'string', format: 'uri' },
      born: { type: 'string', format: 'date' },
      since: { type: 'string', format: 'date-time', default: '2026-01-31T12:00:00+02:00' },
      weight: { type: 'number' },
      agree: { type: 'boolean', default: true },
      friend: { type: 'string', enum: ['Joey', MARKUP], default: 'Joey' },
      hero: { type: 'string', oneOf: [{ const: 'h1', title: `Superman ${MARKUP}` }] },
      tools: { type: 'array', items: { type: 'string', enum: ['Drums', MARKUP] }, default: ['Drums'] },
    },
    required: ['count'],
  },
};

/** The tools that ask: by the form, and by an address to open. */
export const askingTools: FeatureRegistry = createFeatureRegistry([
  defineTool({
    name: 'survey',
    title: `Survey ${MARKUP}`,
    description: 'Asks by a form',
    input: z.object({}),
    task: 'optional',
    run: async (_args, context) => JSON.stringify(await context.elicit(form)),
  }),
  defineTool({
    name: 'visit',
    description: 'Asks to open an address',
    input: z.object({ url: z.string() }),
    task: 'optional',
    run: async ({ url }, context) =>
      JSON.stringify(await context.elicit({ mode: 'url', message: `Pay ${MARKUP}`, url, elicitationId: 'e' })),
  }),
]);
