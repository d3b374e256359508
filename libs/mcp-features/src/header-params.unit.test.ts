import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { headerParamsOf } from './header-params.js';

const marked = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });
const inProperties = (properties: object) => ({ type: 'object', properties });

describe('arguments that are sent in headers', () => {
  it('are found at any depth of properties', () => {
    const schema = inProperties({
      region: marked('Region'),
      query: { type: 'string' },
      target: inProperties({ shard: marked('Shard', 'integer'), isDry: marked('Dry-Run', 'boolean') }),
    });
    expect(headerParamsOf(schema)).toEqual([
      { name: 'Region', path: ['region'], type: 'string' },
      { name: 'Shard', path: ['target', 'shard'], type: 'integer' },
      { name: 'Dry-Run', path: ['target', 'isDry'], type: 'boolean' },
    ]);
  });

  it('are none of a schema that marks none, with any names of properties and values', () => {
    const schema = inProperties({ 'x-mcp-header': { type: 'string', default: { 'x-mcp-header': 'Region' } }, any: true });
    expect(headerParamsOf(schema)).toEqual([]);
  });

  it('may be marked in a zod schema', () => {
    const input = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }), shard: z.int().meta({ 'x-mcp-header': 'Shard' }) });
    const tool = defineTool({ name: 'query', description: 'Queries', input, run: () => '' });
    expect(tool.headerParams.map(({ name, type }) => [name, type])).toEqual([
      ['Region', 'string'],
      ['Shard', 'integer'],
    ]);
    expect(tool.listing.inputSchema.properties).toMatchObject({ region: { 'x-mcp-header': 'Region' } });
  });
});

describe('a mark is refused', () => {
  it.each(['', 'two words', 'a:b', 'a\r\nb', 'é', 7, null])('when its value is %j, which is no name of a header', (name) => {
    expect(() => headerParamsOf(inProperties({ region: marked(name) }))).toThrow('x-mcp-header at "region"');
  });

  it.each(['number', 'object', 'array', 'null', undefined, ['string', 'null']])('on a property of type %j', (type) => {
    expect(() => headerParamsOf(inProperties({ region: marked('Region', type ?? null) }))).toThrow(
      'must be on a property of type string, integer, boolean',
    );
  });

  it('when another one has its name, in any letter case', () => {
    const schema = inProperties({ one: marked('Region'), two: marked('REGION') });
    expect(() => headerParamsOf(schema)).toThrow('x-mcp-header at "two" of the input schema has the name of the one at "one".');
  });

  it('on the schema itself', () => {
    expect(() => headerParamsOf({ type: 'object', 'x-mcp-header': 'All' })).toThrow('must be on a property');
  });

  it.each(['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains'])('below %s', (keyword) => {
    const schema = inProperties({ list: { [keyword]: inProperties({ region: marked('Region') }) } });
    expect(() => headerParamsOf(schema)).toThrow(`x-mcp-header at "list.${keyword}.region"`);
  });

  it.each(['oneOf', 'anyOf', 'allOf', 'prefixItems'])('below %s', (keyword) => {
    expect(() => headerParamsOf({ [keyword]: [{}, inProperties({ region: marked('Region') })] })).toThrow('reached by properties only');
  });

  it.each(['$defs', 'definitions', 'dependentSchemas', 'patternProperties'])('below %s', (keyword) => {
    expect(() => headerParamsOf({ [keyword]: { any: marked('Region') } })).toThrow('reached by properties only');
  });

  it('when the tool is defined', () => {
    const input = z.object({ ratio: z.number().meta({ 'x-mcp-header': 'Ratio' }) });
    expect(() => defineTool({ name: 'query', description: 'Queries', input, run: () => '' })).toThrow(
      'Tool query: x-mcp-header at "ratio" of the input schema must be on a property of type string, integer, boolean.',
    );
  });
});
