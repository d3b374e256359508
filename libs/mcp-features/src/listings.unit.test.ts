import type { ClientCapability, JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { createListings } from './listings.js';

const tool = (name: string, ...needs: ClientCapability[]) =>
  defineTool({ name, description: name, input: z.object({}), needs, run: () => name });
const tools = [tool('any'), tool('ask', 'elicitation.form'), tool('sample', 'sampling'), tool('both', 'sampling', 'elicitation.form')];
const namesFor = (capabilities: JsonObject) => createListings(tools)(capabilities).map(({ name }) => name);

describe('the tools listed to a client', () => {
  it.each<[JsonObject, string[]]>([
    [{}, ['any']],
    [{ elicitation: {} }, ['any', 'ask']],
    [{ sampling: {} }, ['any', 'sample']],
    [{ sampling: {}, elicitation: { form: {} } }, ['any', 'ask', 'sample', 'both']],
  ])('with %j are those whose needs it meets, in their order', (capabilities, names) => {
    expect(namesFor(capabilities)).toEqual(names);
  });

  it('are put together once for each set of capabilities that some tool needs', () => {
    const listings = createListings(tools);
    const once = listings({ sampling: {} });
    expect(listings({ sampling: { tools: {} }, roots: {}, experimental: { mine: {} } })).toBe(once);
    expect(listings({ elicitation: {} })).not.toBe(once);
  });

  it('are the same for everyone when no tool needs anything', () => {
    const listings = createListings([tool('any')]);
    expect(listings({ sampling: {} })).toBe(listings({}));
  });

  it('are those that the caller may use, where something is asked of its token', () => {
    const guarded = defineTool({ name: 'guarded', description: '', input: z.object({}), scopes: ['a', 'b'], run: () => '' });
    const listings = createListings([...tools, guarded]);
    const names = (granted: readonly string[]): string[] =>
      listings({}, (scopes) => scopes.every((scope) => granted.includes(scope))).map(({ name }) => name);
    expect(names(['a'])).toEqual(['any']);
    expect(names(['a', 'b'])).toEqual(['any', 'guarded']);
    expect(listings({}).map(({ name }) => name)).toEqual(['any', 'guarded']);
  });
});

describe('the scopes of a feature', () => {
  it.each(['', 'two words', 'quo"te', 'back\\slash', 'ümlaut', 'offline_access'])('cannot be %j', (scope) => {
    expect(() => defineTool({ name: 'x', description: '', input: z.object({}), scopes: [scope], run: () => '' })).toThrow(TypeError);
  });

  it('are none by default', () => {
    expect(tool('any').scopes).toEqual([]);
  });
});
