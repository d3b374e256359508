/** Features that tell clients what has changed, and a resource that clients may subscribe to. */
import { createFeatureRegistry, defineResourceTemplate, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import { z } from 'zod';

const lists = z.enum(['tools', 'prompts', 'resources']);

const features = [
  defineResourceTemplate({ uriTemplate: 'news://{x}', name: 'news', read: ({ x }) => x }),
  defineTool({
    name: 'change',
    description: 'Tells everyone who has subscribed that resources have changed',
    input: z.object({ uris: z.array(z.string()) }),
    run({ uris }, { everyone }) {
      for (const uri of uris) everyone.resourceUpdated(uri);
      return 'told';
    },
  }),
  defineTool({
    name: 'change-list',
    description: 'Tells that a list has changed',
    input: z.object({ list: lists, isForEveryone: z.boolean() }),
    run({ list, isForEveryone }, { everyone, session }) {
      if (isForEveryone) everyone.listChanged(list);
      else session?.listChanged(list);
      return 'told';
    },
  }),
  defineTool({
    name: 'subscriptions',
    description: 'Says what the session has subscribed to',
    input: z.object({}),
    run: async (_args, { session }) => JSON.stringify(await session?.subscriptions()),
  }),
];

export const newsFeatures: FeatureRegistry = createFeatureRegistry(features);
