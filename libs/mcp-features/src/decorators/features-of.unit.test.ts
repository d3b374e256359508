/** Tests decorated classes, which only a compiler can read: `tsc -b` has compiled the classes of test/fixtures/decorated. */
import { describe, expect, it } from 'vitest';
import * as families from '../../../../test/fixtures/decorated/dist/families.js';
import * as mistakes from '../../../../test/fixtures/decorated/dist/mistakes.js';
import type { Feature } from '../feature.js';
import type { RequestContext } from '../request-context.js';
import { featuresOf } from './features-of.js';

const context = {} as RequestContext;

/** The answers of the features' inline tools, by their names. */
async function answersOf(features: readonly Feature[]): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const tool of features) {
    if (tool.kind !== 'tool' || tool.taskSupport !== 'forbidden') continue;
    const [content] = (await tool.call({}, context)).content;
    answers[tool.name] = content?.type === 'text' ? content.text : content;
  }
  return answers;
}

describe('the features of a class', () => {
  it('stand in the order in which its methods are written, named by them in kebab case', () => {
    const names = featuresOf(new families.Names()).map(({ name }) => name);
    expect(names).toEqual(['get-http-status', 'plain', 'snake-case', 'said', '1']);
  });

  it('are several when a method has several decorators', async () => {
    expect(Object.entries(await answersOf(featuresOf(new families.Aliases())))).toEqual([
      ['first-name', 'either way'],
      ['second-name', 'either way'],
    ]);
  });

  it('are bound to their instance', async () => {
    const one = featuresOf(Object.assign(new families.Parent(), { who: () => 'one' }));
    const two = featuresOf(Object.assign(new families.Parent(), { who: () => 'two' }));
    expect(await answersOf(one)).toMatchObject({ kept: 'kept by one' });
    expect(await answersOf(two)).toMatchObject({ kept: 'kept by two' });
  });
});

describe('a class that inherits', () => {
  const features = featuresOf(new families.Child());

  it('has the features of its parent first; one that it decorates again is replaced in its place', () => {
    expect(features.map(({ name }) => name)).toEqual(['kept', 'changed', 'renamed', 'ask', 'own', 'reveal-secret']);
  });

  it('answers by its own methods, private ones too, also where it overrides without a decorator', async () => {
    expect(await answersOf(features)).toEqual({
      kept: 'kept by the child',
      changed: 'of the child, not of the parent',
      renamed: 'of the child',
      own: 'own',
      'reveal-secret': 'a secret of the child',
    });
  });

  it('can complete a prompt of its parent, whose instances stay without', async () => {
    const promptOf = (all: readonly Feature[]) => all.find((feature) => feature.kind === 'prompt');
    expect(await promptOf(features)?.completers['topic']?.('', {}, context)).toEqual(['weather']);
    expect(promptOf(featuresOf(new families.Parent()))?.completers).toEqual({});
  });
});

describe('features that cannot be collected', () => {
  it.each<[string, object, string]>([
    ['without a decorator', new mistakes.NoFeature(), 'No method of NoFeature has a decorator that makes a feature of it.'],
    ['of a class, not of an instance', mistakes.NoFeature, 'featuresOf takes an instance: new NoFeature(…), not the class.'],
    [
      'with a completion of an unknown prompt',
      new mistakes.UnknownPrompt(),
      'UnknownPrompt.cities completes "city" of prompt "forcast", which UnknownPrompt does not have; it has prompt "forecast".',
    ],
    [
      'with a completion of an unknown argument, which is the name of the method',
      new mistakes.UnknownArgument(),
      'UnknownArgument.town completes "town" of prompt "forecast", which does not have it; it has "city", "day".',
    ],
    [
      'with a completion of an unknown template',
      new mistakes.UnknownTemplate(),
      'UnknownTemplate.city completes "city" of resource template "weather://{city}", which UnknownTemplate does not have.',
    ],
    [
      'with a completion of an unknown variable',
      new mistakes.UnknownVariable(),
      'UnknownVariable.town completes "town" of resource template "weather://{city}", which does not have it; it has "city".',
    ],
    [
      'with a list for a resource that is no template',
      new mistakes.ListOfPlainResource(),
      'ListOfPlainResource.list lists resource template "weather://all", which ListOfPlainResource does not have.',
    ],
    [
      'with two completions of an argument',
      new mistakes.TwoCompletions(),
      'TwoCompletions.cities completes "city" of prompt "forecast", which another method does already.',
    ],
    [
      'with two lists of a template',
      new mistakes.TwoLists(),
      'TwoLists.others lists resource template "weather://{city}", which another method does already.',
    ],
  ])('%s', (_what, instance, message) => {
    expect(() => featuresOf(instance)).toThrow(new TypeError(message));
  });
});
