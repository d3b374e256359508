import { describe, expect, it } from 'vitest';
import { paramHeaders } from './param-headers.js';

const marked = (header: string, more: object = {}): object => ({ type: 'string', 'x-mcp-header': header, ...more });
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('the headers of a call', () => {
  it('are the marked arguments, also those within objects', () => {
    const schema = {
      properties: { region: marked('Region'), place: { type: 'object', properties: { city: marked('City') } }, other: { type: 'string' } },
    };
    expect(paramHeaders(schema, { region: 'north', place: { city: 'Ghent' }, other: 'x' })).toEqual({
      'Mcp-Param-Region': 'north',
      'Mcp-Param-City': 'Ghent',
    });
  });

  it('leave out what is not given, or null', () => {
    const schema = { properties: { a: marked('A'), b: marked('B'), c: { properties: { d: marked('D') } } } };
    expect(paramHeaders(schema, { a: null })).toEqual({});
    expect(paramHeaders(schema, undefined)).toEqual({});
  });

  it('know texts, integers and booleans', () => {
    const schema = {
      properties: { a: marked('A'), b: marked('B', { type: 'integer' }), c: marked('C', { type: 'boolean' }), d: marked('D') },
    };
    expect(paramHeaders(schema, { a: 'x', b: -7, c: false, d: [1] })).toEqual({
      'Mcp-Param-A': 'x',
      'Mcp-Param-B': '-7',
      'Mcp-Param-C': 'false',
    });
  });

  it('do not look under anything but properties', () => {
    const schema = {
      properties: { list: { type: 'array', items: { properties: { a: marked('A') } } } },
      anyOf: [{ properties: { b: marked('B') } }],
    };
    expect(paramHeaders(schema, { list: [{ a: 'x' }], b: 'y' })).toEqual({});
  });

  it.each([
    ['', base64('')],
    ['grüßen', base64('grüßen')],
    [' padded ', base64(' padded ')],
    ['two\nlines', base64('two\nlines')],
    [base64('x'), base64(base64('x'))],
    ['plain, with = signs?', 'plain, with = signs?'],
  ])('carry %j as %j', (text, expected) => {
    expect(paramHeaders({ properties: { a: marked('A') } }, { a: text })).toEqual({ 'Mcp-Param-A': expected });
  });

  it('are none for a schema that is none', () => {
    for (const schema of [undefined, null, 'x', {}, { properties: null }]) expect(paramHeaders(schema, { a: 'x' })).toEqual({});
  });
});
