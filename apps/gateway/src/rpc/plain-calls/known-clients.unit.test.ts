import { describe, expect, it } from 'vitest';
import { findClient, KNOWN_CLIENTS, type KnownClient, knownClientsSetting } from './known-clients.js';

const limitOf = (name?: string, version?: string, table: readonly KnownClient[] = KNOWN_CLIENTS) =>
  findClient(table, { name, version })?.limitMs;

describe('a client', () => {
  it.each<[string | undefined, string | undefined, number | null | undefined]>([
    ['claude-ai', '0.1.0', 60_000],
    ['CLAUDE-AI', '0.1.0', 60_000],
    ['claude-ai (via mcp-remote 0.1.38)', '0.1.0', 60_000],
    ['claude-aix', '0.1.0', undefined],
    ['openai-mcp (ChatGPT)', '1.0.0', 60_000],
    ['Visual Studio Code - Insiders', '1.200', null],
    ['Java SDK MCP Client', '0.15.0', 20_000],
    ['spring-ai-mcp-client - files', undefined, 20_000],
    ['mcp-inspector', '2.12.0', 60_000],
    ['mcp-inspector', 'v2', 60_000],
    ['mcp-inspector', '1.9.9', undefined],
    ['mcp-inspector', undefined, undefined],
    ['mcp-inspector', '', undefined],
    ['mcp', '0.1.0', undefined],
    ['*', '1', undefined],
    ['', '1', undefined],
    [undefined, undefined, undefined],
  ])('%j, version %j, has the limit %j', (name, version, limitMs) => {
    expect(limitOf(name, version)).toBe(limitMs);
  });

  it('is looked for at once, however long its name is', () => {
    expect(limitOf(`${' (via mcp-remote '.repeat(4_000)})`)).toBeUndefined();
  });

  it('is known by the first entry whose versions fit', () => {
    const table = [
      { name: 'app', from: '1.10', before: '2', limitMs: 1 },
      { name: 'app', from: '3.0.1', limitMs: 2 },
      { name: '*', limitMs: 3 },
    ];
    const limits = ['1.9', '1.10.0', '1.99', '2.0.0', '3.0', '3.0.1-beta', '10'].map((version) => limitOf('app', version, table));
    expect(limits).toEqual([3, 1, 1, 3, 3, 2, 2]);
  });
});

describe('the setting', () => {
  it('takes entries of its own', () => {
    expect(knownClientsSetting.parse('[{"name":"acme-*","limitMs":null},{"name":"x","limitMs":30000,"progressExtends":true}]')).toEqual([
      { name: 'acme-*', limitMs: null },
      { name: 'x', limitMs: 30_000, progressExtends: true },
    ]);
  });

  it.each([
    ['[{"name":"a*b"}]', '0.name: may have * only as its last character'],
    ['[{"name":"a","limit":1}]', 'Unrecognized key'],
    ['[{"name":"a","limitMs":0}]', '0.limitMs'],
    ['[{"name":"a","limitMs":1.5}]', '0.limitMs'],
    ['[{"name":"a","from":"one"}]', '0.from: must be a version'],
    ['[{"name":""}]', '0.name'],
    ['{"name":"a"}', 'expected array'],
    ['no-such-file.json', 'no such file can be read'],
    [JSON.stringify(Array.from({ length: 101 }, () => ({ name: 'a' }))), 'Too big'],
  ])('refuses %s', (text, problem) => {
    expect(() => knownClientsSetting.parse(text)).toThrow(problem);
  });
});

it('each entry says where it is known from', () => {
  for (const { name, source } of KNOWN_CLIENTS) expect(source, name).toMatch(/\w/);
});
