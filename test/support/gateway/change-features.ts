/** Defines features that notify clients of changes, and a resource that clients may subscribe to. */
import { createFeatureRegistry, defineResourceTemplate, defineTool, type FeatureRegistry } from '@longhaul/mcp-features';
import { z } from 'zod';

const lists = z.enum(['tools', 'prompts', 'resources']);

const features = [
  defineResourceTemplate({ uriTemplate: 'feed://{x}', name: 'feed', read: ({ x }) => x }),
  defineTool({
    name: 'change',
    description: 'Notifies all subscribers that resources have changed',
    input: z.object({ uris: z.array(z.string()) }),
    run({ uris }, { everyone }) {
      for (const uri of uris) everyone.resourceUpdated(uri);
      return 'notified';
    },
  }),
  defineTool({
    name: 'change-list',
    description: 'Notifies clients that a list has changed',
    input: z.object({ list: lists, isForEveryone: z.boolean() }),
    run({ list, isForEveryone }, { everyone, session }) {
      if (isForEveryone) everyone.listChanged(list);
      else session?.listChanged(list);
      return 'notified';
    },
  }),
  defineTool({
    name: 'subscriptions',
    description: 'Says what the session has subscribed to',
    input: z.object({}),
    run: async (_args, { session }) => JSON.stringify(await session?.subscriptions()),
  }),
];

export const changeFeatures: FeatureRegistry = createFeatureRegistry(features);
