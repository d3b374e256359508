/** Features of every kind, each with a scope of its own. */
import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type FeatureRegistry,
} from '@longhaul/mcp-features';
import { z } from 'zod';

const input = z.object({});

const features = [
  defineTool({ name: 'open', description: 'Asks for no scope', input, run: () => 'open' }),
  defineTool({ name: 'inline', description: 'Answers at once', input, scopes: ['f:inline'], run: () => 'inline' }),
  defineTool({
    name: 'two',
    description: 'Asks for two scopes',
    input,
    scopes: ['f:inline', 'f:two'],
    run: () => 'two',
  }),
  defineTool({
    name: 'durable',
    description: 'Answers when it is asked to',
    input: z.object({ ms: z.int().default(0) }),
    task: 'optional',
    scopes: ['f:durable'],
    async run({ ms }, context) {
      if (ms > 0) await context.sleep('work', ms);
      return 'durable';
    },
  }),
  defineTool({
    name: 'asking',
    description: 'Asks its client',
    input,
    task: 'optional',
    scopes: ['f:asking'],
    async run(_args, context) {
      const { action } = await context.elicit(z.object({ name: z.string() }), 'Your name?');
      return action;
    },
  }),
  defineTool({
    name: 'whoami',
    description: 'Says who calls',
    input,
    run: (_args, { auth }) => JSON.stringify(auth ?? null),
  }),
  defineTool({
    name: 'whoami-later',
    description: 'Says who created the task',
    input,
    task: 'optional',
    run: (_args, { auth }) => Promise.resolve(JSON.stringify(auth ?? null)),
  }),
  definePrompt({
    name: 'letter',
    description: 'Writes',
    arguments: z.object({ to: z.string() }),
    scopes: ['f:prompt'],
    complete: { to: () => ['Ada'] },
    run: ({ to }) => `Dear ${to}`,
  }),
  defineResource({ uri: 'doc://plan', name: 'plan', scopes: ['f:resource'], read: () => 'the plan' }),
  defineResourceTemplate({
    uriTemplate: 'note://{id}',
    name: 'note',
    scopes: ['f:template'],
    complete: { id: () => ['1'] },
    list: () => [{ uri: 'note://1', name: 'first' }],
    read: ({ id }) => `note ${id}`,
  }),
];

export const guardedFeatures: FeatureRegistry = createFeatureRegistry(features);
