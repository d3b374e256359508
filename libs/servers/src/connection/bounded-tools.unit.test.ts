import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { boundedTools } from './bounded-tools.js';

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({ name, inputSchema: { type: 'object' }, ...more });

it('tools are used as they are listed', () => {
  const listed = [tool('a', { description: 'd'.repeat(8_192) }), tool('b')];
  expect(boundedTools(listed, {})).toEqual({ tools: listed, warnings: [] });
});

it('the first 256 tools that are allowed are used', () => {
  const listed = [tool('other'), ...Array.from({ length: 257 }, (_, index) => tool(`tool-${index}`))];
  const { tools, warnings } = boundedTools(listed, { tools: ['tool-*'] });
  expect(tools).toEqual(listed.slice(1, 257));
  expect(warnings).toEqual(['it has 257 tools; the first 256 are used: name those that you need in "tools"']);
});

it('a description is cut', () => {
  const { tools, warnings } = boundedTools([tool('a', { description: 'd'.repeat(8_193) })], {});
  expect(tools).toEqual([tool('a', { description: `${'d'.repeat(8_192)}…` })]);
  expect(warnings).toEqual(['the description of its tool "a" is cut: it has 8193 characters']);
});

it('a description is cut between characters', () => {
  const { tools } = boundedTools([tool('a', { description: `${'d'.repeat(8_191)}😀` })], {});
  expect(tools).toEqual([tool('a', { description: `${'d'.repeat(8_191)}…` })]);
});

it('a tool with a large schema is not used', () => {
  const properties = { field: { description: 'é'.repeat(32_768) } };
  const { tools, warnings } = boundedTools([tool('a', { inputSchema: { type: 'object', properties } }), tool('b')], {});
  expect(tools).toEqual([tool('b')]);
  expect(warnings).toEqual([
    expect.stringMatching(/^its tool "a" is not used: its schema has 65\d{3} bytes, and at most 65536 are taken$/),
  ]);
});

it.each([
  ['a type that there is not', { type: 'object', properties: { a: { type: 'text' } } }],
  ['a pattern that is none', { type: 'object', properties: { a: { type: 'string', pattern: '[' } } }],
  ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/gone' } } }],
])('a tool whose schema has %s is left out by name, and the others are used', (_what, inputSchema) => {
  const { tools, warnings } = boundedTools([tool('bad', { inputSchema: inputSchema as never }), tool('b')], {});
  expect(tools).toEqual([tool('b')]);
  expect(warnings).toEqual([expect.stringMatching(/^its tool "bad" is not used: its schema is none: /)]);
});

it('a tool whose schema is in a dialect that is not known here is used', () => {
  const listed = tool('a', { inputSchema: { type: 'object', $schema: 'https://example.com/my-own-dialect' } });
  expect(boundedTools([listed], {})).toEqual({ tools: [listed], warnings: [] });
});

it('an allowed tool that is not listed is warned of', () => {
  expect(boundedTools([tool('a')], { tools: ['a', 'b*'] }).warnings).toEqual(['"b*" is allowed, but it has no such tool']);
});

it('tools with long names are not used, nor matched with patterns, which would take for ever', () => {
  const listed = [tool('a'.repeat(257)), tool('note'.repeat(100_000)), tool('b')];
  const { tools, warnings } = boundedTools(listed, { tools: ['*note*e*note*x', 'b'] });
  expect(tools).toEqual([tool('b')]);
  expect(warnings).toContain('2 of its tools are not used: their names have more than 256 characters');
});
