import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../rpc/errors.js';
import { createParamHeaderCheck } from './param-headers.js';

const marked = (type: string, name: string) => ({ type, 'x-mcp-header': name });

const query = defineTool({
  name: 'query',
  description: 'Queries',
  input: {
    type: 'object',
    properties: {
      region: marked('string', 'Region'),
      shard: marked('integer', 'Shard'),
      dry: marked('boolean', 'Dry-Run'),
      target: { type: 'object', properties: { tenant: marked('string', 'Tenant') } },
    },
  },
  run: () => '',
});
const check = createParamHeaderCheck(createFeatureRegistry([query]));

const call = (args: unknown, name = 'query') => ({ method: 'tools/call', params: { name, arguments: args, _meta: {} } });

/** Headers in Node's form. */
const received = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The refusal of a call with these arguments and this header. */
function problem(args: unknown, headers: Record<string, string>): string | undefined {
  try {
    check(received(headers), call(args));
    return undefined;
  } catch (error) {
    const { httpStatus, code, message } = error as Refusal;
    expect([httpStatus, code]).toEqual([400, -32020]);
    return message;
  }
}

const encoded = (text: string) => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('a call whose headers say what its arguments say', () => {
  it.each([
    ['a text', { region: 'us-west1' }, { 'Mcp-Param-Region': 'us-west1' }],
    ['a header in another letter case', { region: 'us-west1' }, { 'MCP-PARAM-REGION': 'us-west1' }],
    ['an empty text', { region: '' }, { 'Mcp-Param-Region': '' }],
    ['a text in Base64', { region: 'Hello, 世界' }, { 'Mcp-Param-Region': encoded('Hello, 世界') }],
    ['a text with spaces around it', { region: ' padded ' }, { 'Mcp-Param-Region': encoded(' padded ') }],
    ['a text that begins with a byte order mark', { region: '\uFEFFa' }, { 'Mcp-Param-Region': encoded('\uFEFFa') }],
    ['a text that looks encoded, encoded', { region: '=?base64?aa?=' }, { 'Mcp-Param-Region': encoded('=?base64?aa?=') }],
    ['a text that only begins like an encoded one', { region: '=?base64?SGVsbG8=' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8=' }],
    ['a text that only ends like an encoded one', { region: 'SGVsbG8=?=' }, { 'Mcp-Param-Region': 'SGVsbG8=?=' }],
    ['a number', { shard: 42 }, { 'Mcp-Param-Shard': '42' }],
    ['a number in another notation', { shard: 42 }, { 'Mcp-Param-Shard': '42.0' }],
    ['a negative number', { shard: -7 }, { 'Mcp-Param-Shard': '-7' }],
    ['true', { dry: true }, { 'Mcp-Param-Dry-Run': 'true' }],
    ['false', { dry: false }, { 'Mcp-Param-Dry-Run': 'false' }],
    ['an argument within another one', { target: { tenant: 'a' } }, { 'Mcp-Param-Tenant': 'a' }],
    ['no argument', {}, {}],
    ['no arguments at all', undefined, {}],
    ['null', { region: null }, {}],
    ['an argument of a wrong type, which the tool refuses', { region: ['us'] }, {}],
    ['headers that mean nothing here', {}, { 'Mcp-Param-Other': '=?base64?!?=' }],
  ])('goes on: %s', (_what, args, headers) => {
    expect(problem(args, headers as Record<string, string>)).toBeUndefined();
  });
});

describe('a call is refused', () => {
  it.each([
    ['an argument without its header', { region: 'us-west1' }, {}, 'Mcp-Param-Region header is missing, and arguments.region has a value'],
    ['another text', { region: 'us' }, { 'Mcp-Param-Region': 'eu' }, 'Mcp-Param-Region header has another value than arguments.region'],
    ['another letter case', { region: 'us' }, { 'Mcp-Param-Region': 'US' }, 'has another value than arguments.region'],
    ['another text in Base64', { region: 'us' }, { 'Mcp-Param-Region': encoded('eu') }, 'has another value'],
    ['a text that is not encoded and should be', { region: '=?base64?aa==?=' }, { 'Mcp-Param-Region': '=?base64?aa==?=' }, 'neither plain'],
    ['Base64 without its padding', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVsbG8?=' }, 'neither plain ASCII nor Base64'],
    ['what is not Base64', { region: 'Hello' }, { 'Mcp-Param-Region': '=?base64?SGVs!!!bG8=?=' }, 'neither plain ASCII nor Base64'],
    [
      'Base64 of what is not UTF-8',
      { region: 'Hello' },
      { 'Mcp-Param-Region': '=?base64?/w==?=' },
      'neither plain ASCII nor Base64 of UTF-8',
    ],
    ['a character that is not ASCII', { region: 'é' }, { 'Mcp-Param-Region': 'é' }, 'neither plain ASCII'],
    ['a broken header without its argument', {}, { 'Mcp-Param-Region': '=?base64?!?=' }, 'neither plain ASCII'],
    ['a header without its argument', {}, { 'Mcp-Param-Region': 'us' }, 'has a value, and arguments.region has none'],
    ['a header for null', { region: null }, { 'Mcp-Param-Region': 'null' }, 'has a value, and arguments.region has none'],
    ['a header for a list', { region: ['us'] }, { 'Mcp-Param-Region': 'us' }, 'has a value, and arguments.region has none'],
    ['two values of one header', { region: 'us' }, { 'Mcp-Param-Region': 'us, us' }, 'has another value'],
    ['another number', { shard: 42 }, { 'Mcp-Param-Shard': '43' }, 'has another value than arguments.shard'],
    ['a number in hexadecimal', { shard: 42 }, { 'Mcp-Param-Shard': '0x2a' }, 'has another value'],
    ['a number with something behind it', { shard: 42 }, { 'Mcp-Param-Shard': '42.00001' }, 'has another value'],
    ['a number that is not exact', { shard: 2 ** 53 }, { 'Mcp-Param-Shard': '9007199254740993' }, 'must be from -(2^53 - 1) to 2^53 - 1'],
    ['true in capitals', { dry: true }, { 'Mcp-Param-Dry-Run': 'TRUE' }, 'has another value than arguments.dry'],
    ['an argument within another one', { target: { tenant: 'a' } }, { 'Mcp-Param-Tenant': 'b' }, 'than arguments.target.tenant'],
  ])('for %s', (_what, args, headers, message) => {
    expect(problem(args, headers as Record<string, string>)).toContain(message);
  });
});

describe('what is not looked at', () => {
  it.each([
    ['other methods', { ...call({ region: 'us' }), method: 'prompts/get' }],
    ['calls of tools that have marked nothing', call({}, 'other')],
  ])('are %s', (_what, request) => {
    expect(() => check({ 'mcp-param-region': 'eu' }, request)).not.toThrow();
  });
});
