import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definePrompt } from './define-prompt.js';
import { defineResourceTemplate } from './define-resource-template.js';
import { defineResource } from './define-resource.js';
import { defineSessionJob } from './define-session-job.js';
import { defineTool } from './define-tool.js';
import { createFeatureRegistry } from './feature-registry.js';
import type { Feature } from './feature.js';

const inline = (name: string) => defineTool({ name, description: '', input: z.object({}), run: () => name });
const durable = (name: string) => defineTool({ name, description: '', input: z.object({}), task: 'optional', run: async () => name });
const prompt = (name: string) => definePrompt({ name, description: '', run: () => name });
const resource = (uri: string, name = uri) => defineResource({ uri, name, read: () => uri });
const template = (uriTemplate: string, options: { isListed?: boolean; name?: string } = {}) =>
  defineResourceTemplate({ name: uriTemplate, ...options, uriTemplate, read: () => uriTemplate });
const job = (name: string) => defineSessionJob({ name, everyMs: 1_000, run: () => undefined });

const namesOf = (features: readonly { readonly name: string }[]): string[] => features.map(({ name }) => name);

describe('a registry', () => {
  const features = createFeatureRegistry([
    template('b://{x}'),
    job('j'),
    inline('z'),
    prompt('p'),
    resource('r://1'),
    durable('a'),
    prompt('o'),
    template('a://{x}'),
  ]);

  it('has the features by their kinds, in the order in which they were given', () => {
    expect(namesOf(features.tools)).toEqual(['z', 'a']);
    expect(namesOf(features.prompts)).toEqual(['p', 'o']);
    expect(namesOf(features.resources)).toEqual(['r://1']);
    expect(namesOf(features.resourceTemplates)).toEqual(['b://{x}', 'a://{x}']);
    expect(namesOf(features.sessionJobs)).toEqual(['j']);
  });

  it('finds each by what it is called', () => {
    expect(features.tool('a')).toBe(features.tools[1]);
    expect(features.prompt('o')).toBe(features.prompts[1]);
    expect(features.resourceTemplate('a://{x}')).toBe(features.resourceTemplates[1]);
    expect(features.sessionJob('j')).toBe(features.sessionJobs[0]);
  });

  it.each(['nothing', 'toString', '__proto__'])('finds nothing that is called "%s"', (name) => {
    expect(features.tool(name)).toBeUndefined();
    expect(features.prompt(name)).toBeUndefined();
    expect(features.findResource(name)).toBeUndefined();
    expect(features.resourceTemplate(name)).toBeUndefined();
    expect(features.sessionJob(name)).toBeUndefined();
    expect(features.workflow(name)).toBeUndefined();
  });

  it.each<[string, Feature, number]>([
    ['tools', inline('x'.repeat(257)), 256],
    ['prompts', prompt('x'.repeat(257)), 256],
    ['session jobs', job('x'.repeat(257)), 256],
    ['resources', resource('x'.repeat(8_193)), 8_192],
    ['resource templates', template(`{x}${'x'.repeat(8_190)}`), 8_192],
  ])('has none of the %s by what no client could send', (kind, feature, maxBytes) => {
    const message = `What one of the ${kind} is named by has ${maxBytes + 1} bytes; at most ${maxBytes} are allowed.`;
    expect(() => createFeatureRegistry([feature])).toThrow(new RangeError(message));
  });

  it('has workflows of durable tools only', () => {
    expect(features.workflow('a')?.name).toBe('a');
    expect(features.workflow('z')).toBeUndefined();
  });

  it('lists everything, but templates that are not to be listed', () => {
    const { listings } = createFeatureRegistry([template('shown://{x}'), template('hidden://{x}', { isListed: false }), prompt('p')]);
    expect(namesOf(listings.resourceTemplates({}))).toEqual(['shown://{x}']);
    expect(namesOf(listings.prompts({}))).toEqual(['p']);
    expect(listings.tools({})).toEqual([]);
  });

  it('lists to a client only what it can use', () => {
    const needy = definePrompt({ name: 'needy', description: '', needs: ['roots'], run: () => '' });
    const { listings } = createFeatureRegistry([prompt('p'), needy]);
    expect(namesOf(listings.prompts({}))).toEqual(['p']);
    expect(namesOf(listings.prompts({ roots: {} }))).toEqual(['p', 'needy']);
  });
});

describe('the fingerprint of a registry', () => {
  const tool = (run: () => Promise<string>, description = '') =>
    defineTool({ name: 'a', description, input: z.object({}), task: 'optional', run });
  const fingerprint = (...features: Feature[]): string => createFeatureRegistry(features).fingerprint;
  const one = fingerprint(tool(async () => 'one'));

  it('is the same for the same features, in every process', () => {
    expect(one).toMatch(/^[0-9a-f]{12}$/);
    expect(fingerprint(tool(async () => 'one'))).toBe(one);
  });

  it('differs when a function differs, or what is listed', () => {
    const others = [
      fingerprint(tool(async () => 'two')),
      fingerprint(tool(async () => 'one', 'other')),
      fingerprint(
        tool(async () => 'one'),
        job('j'),
      ),
      fingerprint(),
    ];
    expect(new Set([one, ...others]).size).toBe(5);
  });

  it('differs when a completion differs', () => {
    const completed = (values: readonly string[], complete: () => string[]) =>
      definePrompt({
        name: values.join(),
        description: '',
        arguments: z.object({ city: z.string() }),
        complete: { city: complete },
        run: () => '',
      });
    expect(fingerprint(completed([], () => ['Oslo']))).not.toBe(fingerprint(completed([], () => ['Rome'])));
  });
});

describe('two features that are called the same', () => {
  it.each<[string, Feature[], string]>([
    ['tools', [inline('a'), inline('b'), durable('a')], 'Two tools are named "a".'],
    ['prompts', [prompt('a'), prompt('a')], 'Two prompts are named "a".'],
    ['resources', [resource('r://1', 'one'), resource('r://1', 'two')], 'Two resources are named "r://1".'],
    ['templates', [template('t://{x}'), template('t://{x}', { name: 'two' })], 'Two resource templates are named "t://{x}".'],
    ['session jobs', [job('a'), job('a')], 'Two session jobs are named "a".'],
  ])('are refused: %s', (_kind, features, message) => {
    expect(() => createFeatureRegistry(features)).toThrow(new RangeError(message));
  });

  it('are no matter when they are of different kinds, or resources at different URIs', () => {
    const features = [
      inline('a'),
      prompt('a'),
      job('a'),
      resource('r://1', 'a'),
      resource('r://2', 'a'),
      template('t://{x}', { name: 'a' }),
    ];
    expect(createFeatureRegistry(features).tool('a')).toBe(features[0]);
  });
});

describe('a URI', () => {
  const fixed = resource('docs://about');
  const byName = template('docs://{name}');
  const byPath = template('docs://{+path}');
  const features = createFeatureRegistry([byName, byPath, fixed]);

  it('names the resource that has it before any template, wherever it was defined', () => {
    expect(features.findResource('docs://about')).toEqual({ resource: fixed });
  });

  it('names a resource of the first template that fits', () => {
    expect(features.findResource('docs://other')).toEqual({ template: byName, variables: { name: 'other' } });
    expect(features.findResource('docs://a/b')).toEqual({ template: byPath, variables: { path: 'a/b' } });
  });

  it('names nothing when nothing fits, also when an escape is broken', () => {
    expect(features.findResource('files://other')).toBeUndefined();
    expect(features.findResource('docs://%zz')).toBeUndefined();
  });

  it('can name a resource of a template that is not listed', () => {
    const hidden = template('hidden://{x}', { isListed: false });
    expect(createFeatureRegistry([hidden]).findResource('hidden://1')).toEqual({ template: hidden, variables: { x: '1' } });
  });
});
