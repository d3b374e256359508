import {
  createFeatureRegistry,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  type Feature,
} from '@longhaul/mcp-features';
import { declarationOf } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serverCapabilities } from './server-info.js';

const tool = defineTool({ name: 'tool', description: '', input: z.object({}), run: () => '' });
const prompt = definePrompt({ name: 'prompt', description: '', run: () => '' });
const resource = defineResource({ uri: 'a://b', name: 'resource', read: () => '' });
const template = defineResourceTemplate({ uriTemplate: 'a://{b}', name: 'template', read: () => '' });
const completing = defineResourceTemplate({ uriTemplate: 'c://{d}', name: 'completing', complete: { d: () => [] }, read: () => '' });
const always = { logging: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

describe('a server with sessions declares', () => {
  it.each<[string, readonly Feature[], object]>([
    ['nothing of features that it has none of', [], {}],
    ['tools', [tool], { tools: { listChanged: true } }],
    ['prompts', [prompt], { prompts: { listChanged: true } }],
    ['resources', [resource], { resources: { subscribe: true, listChanged: true } }],
    ['resources, when it has templates only', [template], { resources: { subscribe: true, listChanged: true } }],
    ['completions, when something can be completed', [completing], { resources: { subscribe: true, listChanged: true }, completions: {} }],
  ])('%s', (_title, features, declared) => {
    expect(serverCapabilities(createFeatureRegistry(features), false)).toEqual({ ...always, ...declared });
  });
});

describe('a page that only some clients show', () => {
  const page = defineResource({ uri: 'ui://a', name: 'page', needs: ['apps'], read: () => '' });
  it('is declared to those', () => {
    const registry = createFeatureRegistry([page]);
    expect(serverCapabilities(registry, false, {})).toEqual(always);
    expect(serverCapabilities(registry, false, declarationOf(['apps']))).toHaveProperty('resources');
    expect(serverCapabilities(createFeatureRegistry([page, resource]), false, {})).toHaveProperty('resources');
  });
});

describe('a server without sessions', () => {
  it('declares nothing that has to be sent to a session, or kept in one', () => {
    expect(serverCapabilities(createFeatureRegistry([tool, prompt, resource, completing]), true)).toEqual({
      tools: {},
      prompts: {},
      resources: {},
      completions: {},
      tasks: { cancel: {}, requests: { tools: { call: {} } } },
    });
  });
});
