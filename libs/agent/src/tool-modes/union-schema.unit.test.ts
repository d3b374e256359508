import type { JsonObject } from '@longhaul/tasks';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { ToolDescription } from '../model/chat-model.js';
import { TOOLS } from '../textual-calls/tools.fixture.js';
import { unionSchema } from './union-schema.js';

function accepts(tools: readonly ToolDescription[], outputSchema?: JsonObject): (reply: unknown) => boolean {
  const check = new Ajv2020({ strict: false }).compile(unionSchema(tools, outputSchema));
  return (reply) => check(reply);
}

function toolWith(parameters: JsonObject): readonly ToolDescription[] {
  return [{ name: 'do', parameters }];
}

test('a reply is a call of a listed tool with its arguments, or an answer', () => {
  const check = accepts(TOOLS);
  expect(check({ tool: 'get-date', arguments: { timezone: 'Asia/Tokyo' } })).toBe(true);
  expect(check({ tool: 'add', arguments: { a: 1.5, b: 2 } })).toBe(true);
  expect(check({ answer: 'It is Saturday.' })).toBe(true);
});

test.each([
  ['an unknown tool', { tool: 'rm', arguments: {} }],
  ['a call without arguments', { tool: 'get-date' }],
  ['arguments of another tool', { tool: 'add', arguments: { timezone: 'Asia/Tokyo' } }],
  ['arguments that are missing', { tool: 'add', arguments: { a: 1 } }],
  ['arguments of a wrong type', { tool: 'add', arguments: { a: 'one', b: 2 } }],
  ['arguments that are invented', { tool: 'get-date', arguments: { city: 'Tokyo' } }],
  ['a call and an answer', { tool: 'get-date', arguments: {}, answer: 'Saturday' }],
  ['an answer that is no text', { answer: { day: 'Saturday' } }],
  ['nothing', {}],
  ['plain text', 'Saturday'],
])('a reply is not %s', (_, reply) => {
  expect(accepts(TOOLS)(reply)).toBe(false);
});

test('an answer fits the schema that is given for it, references included', () => {
  const check = accepts(TOOLS, {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { days: { type: 'array', items: { $ref: '#/$defs/day' } } },
    required: ['days'],
    $defs: { day: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  });
  expect(check({ answer: { days: [{ name: 'Saturday' }] } })).toBe(true);
  expect(check({ answer: { days: [{}] } })).toBe(false);
  expect(check({ answer: 'Saturday' })).toBe(false);
  expect(check({ tool: 'get-date', arguments: {} })).toBe(true);
});

test('references in the arguments lead to the same places, also those to the whole', () => {
  const check = accepts(
    toolWith({
      type: 'object',
      properties: { child: { $ref: '#' }, kind: { $ref: '#/definitions/kind' } },
      definitions: { kind: { enum: ['a', 'b'] } },
    }),
  );
  expect(check({ tool: 'do', arguments: { kind: 'a', child: { kind: 'b', child: {} } } })).toBe(true);
  expect(check({ tool: 'do', arguments: { kind: 'a', child: { kind: 'c' } } })).toBe(false);
});

const NODE = { type: 'object', properties: { kind: { enum: ['a', 'b'] }, next: { $ref: '#node' } }, required: ['kind'] };
const VALUE = { $anchor: 'value', enum: ['a', 'b'] };

test.each<[string, JsonObject]>([
  ['an anchor', { properties: { v: { $ref: '#value' } }, $defs: { x: VALUE } }],
  ['an anchor in a place that no grammar keeps', { properties: { v: { $ref: '#value' } }, not: VALUE }],
  [
    'a dynamic anchor',
    { properties: { v: { $dynamicRef: '#value' } }, $defs: { x: { ...VALUE, $anchor: undefined, $dynamicAnchor: 'value' } } },
  ],
  ['an id', { properties: { v: { $ref: 'value.json' } }, $defs: { x: { ...VALUE, $id: 'value.json' } } }],
  [
    'an absolute id',
    {
      $id: 'https://x.example/a/tool.json',
      properties: { v: { $ref: '/b/value.json' } },
      $defs: { x: { ...VALUE, $id: '../b/value.json' } },
    },
  ],
  ['the id of the whole', { $id: 'https://x.example/tool.json', properties: { v: { $ref: 'tool.json#/$defs/x' } }, $defs: { x: VALUE } }],
  [
    'an id of draft 7 that is an anchor',
    { properties: { v: { $ref: '#value' } }, definitions: { x: { ...VALUE, $anchor: undefined, $id: '#value' } } },
  ],
  ['definitions of a part', { properties: { v: { $ref: '#/properties/w/$defs/x' }, w: { $defs: { x: VALUE }, type: 'string' } } }],
  [
    'definitions of a part with an id, by its own root',
    { properties: { v: { $id: 'part', $ref: '#/$defs/x', $defs: { x: VALUE } } }, $defs: { x: false } },
  ],
  ['a pointer with escapes', { properties: { v: { $ref: '#/$defs/a~1b%20~0c' } }, $defs: { 'a/b ~c': VALUE } }],
  ['a pointer into a list', { properties: { v: { $ref: '#/allOf/0/properties/x' } }, allOf: [{ properties: { x: VALUE } }] }],
  ['a chain', { properties: { v: { $ref: '#/$defs/x' } }, $defs: { x: { $ref: '#/$defs/y' }, y: { $ref: '#value' }, z: VALUE } }],
  ['a property that has the name of a keyword', { properties: { v: { $ref: '#value' }, default: VALUE, enum: {} } }],
])('references lead to the same places: %s', (_, parameters) => {
  const plain = JSON.parse(JSON.stringify(parameters)) as JsonObject;
  const check = accepts(toolWith(plain));
  expect(check({ tool: 'do', arguments: { v: 'a' } })).toBe(true);
  expect(check({ tool: 'do', arguments: { v: 'c' } })).toBe(false);
});

test('what refers to itself stands under the definitions once', () => {
  const recursive: JsonObject = {
    type: 'object',
    properties: { list: { $ref: '#/$defs/list' } },
    $defs: { list: { $defs: { item: { $anchor: 'node', ...NODE } }, $ref: '#node' } },
  };
  const check = accepts(toolWith(recursive));
  expect(check({ tool: 'do', arguments: { list: { kind: 'a', next: { kind: 'b' } } } })).toBe(true);
  expect(check({ tool: 'do', arguments: { list: { kind: 'a', next: { kind: 'c' } } } })).toBe(false);
  const [tool] = toolWith(recursive);
  expect(Object.keys(unionSchema(tool ? [tool] : [])['$defs'] as object)).toHaveLength(3);
});

test('two tools with the same anchors and ids do not disturb each other', () => {
  const parameters = (values: string[]): JsonObject => ({
    $id: 'x',
    properties: { v: { $ref: '#v' } },
    $defs: { v: { $anchor: 'v', enum: values } },
  });
  const check = accepts([
    { name: 'one', parameters: parameters(['a']) },
    { name: 'two', parameters: parameters(['b']) },
  ]);
  expect(check({ tool: 'one', arguments: { v: 'a' } })).toBe(true);
  expect(check({ tool: 'one', arguments: { v: 'b' } })).toBe(false);
  expect(check({ tool: 'two', arguments: { v: 'b' } })).toBe(true);
});

test.each(['https://x.example/other.json', '#/nowhere', '#nowhere', 'http://['])(
  'a reference that leads nowhere here allows anything: %s',
  ($ref) => {
    expect(accepts(toolWith({ properties: { v: { $ref } } }))({ tool: 'do', arguments: { v: [1] } })).toBe(true);
  },
);

test('what no grammar needs is left out', () => {
  const [tool] = toolWith({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://example.org/do',
    type: 'object',
    title: 'Do',
    properties: {
      pattern: { type: 'string', pattern: '[0-9]', maxLength: 100_000, description: 'Digits.', default: '1', format: 'date' },
      items: { type: 'array', items: { type: 'string', minLength: 1 }, uniqueItems: true },
    },
  });
  expect(unionSchema(tool ? [tool] : [])['$defs']).toEqual({
    tool_do: {
      type: 'object',
      properties: { pattern: { type: 'string' }, items: { type: 'array', items: { type: 'string' } } },
      additionalProperties: false,
    },
  });
});

test('a tool without parameters takes none', () => {
  for (const parameters of [{}, { type: 'object' }, { type: 'object', properties: {} }]) {
    const check = accepts(toolWith(parameters));
    expect(check({ tool: 'do', arguments: {} })).toBe(true);
    expect(check({ tool: 'do', arguments: { a: 1 } })).toBe(false);
  }
});

test.each([
  ['says so', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } }, { b: 1 }],
  ['lists nothing', { type: 'object', properties: { a: { type: 'object' } } }, { a: { b: 1 } }],
  [
    'is described in parts',
    { allOf: [{ properties: { a: { type: 'number' } } }, { properties: { b: { type: 'number' } } }] },
    { a: 1, b: 1 },
  ],
  [
    'has variants',
    { properties: { a: { type: 'number' } }, oneOf: [{ properties: { b: { type: 'number' } }, required: ['b'] }] },
    { a: 1, b: 1 },
  ],
])('an object may have further members if its schema %s', (_, parameters, given) => {
  expect(accepts(toolWith(parameters))({ tool: 'do', arguments: given })).toBe(true);
});

test('variants of an object that has nothing else are closed, each for itself', () => {
  const check = accepts(
    toolWith({
      type: 'object',
      properties: {
        target: { anyOf: [{ type: 'object', properties: { file: { type: 'string' } }, required: ['file'] }, { type: 'null' }] },
      },
    }),
  );
  expect(check({ tool: 'do', arguments: { target: { file: 'a' } } })).toBe(true);
  expect(check({ tool: 'do', arguments: { target: null } })).toBe(true);
  expect(check({ tool: 'do', arguments: { target: { file: 'a', more: 1 } } })).toBe(false);
});
