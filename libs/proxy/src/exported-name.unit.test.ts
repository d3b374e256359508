import type { ServerConfig } from '@longhaul/servers';
import { describe, expect, it } from 'vitest';
import { exportedName, exportedTool, serversOfTool, settingsOfExported } from './exported-name.js';

const config = (name: string, more: Partial<ServerConfig> = {}): ServerConfig =>
  ({
    kind: 'url',
    name,
    shown: '',
    url: 'http://x',
    headers: {},
    ask: 'writes',
    stateless: false,
    startTimeoutMs: 1,
    ...more,
  }) as ServerConfig;

describe('the name of a tool for clients', () => {
  it('has its server in front, unless that is the only one', () => {
    expect(exportedName('files', 'read', false)).toBe('files__read');
    expect(exportedName('files', 'read', true)).toBe('read');
  });

  it.each([
    ['größe', 'read'],
    ['files', 'a/b'],
    ['files', ''.padEnd(200, 'x')],
    ['my files', 'read:all'],
  ])('has only what clients take, and is another one for each tool: %s %s', (server, tool) => {
    const name = exportedName(server, tool, false);
    expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
    expect(name).not.toBe(exportedName(server, `${tool}!`, false));
    expect(name).toBe(exportedName(server, tool, false));
  });

  it('is that of the file', () => {
    expect(exportedTool(config('files', { toolSettings: { read: { name: 'open' } } }), 'read', false)).toBe('open');
  });
});

it('what the file says of a tool is found by the name for clients', () => {
  const toolSettings = { read: { name: 'open', maxRunning: 1 }, 'w*': { maxRunning: 2 }, 'a/b': { maxRunning: 3 } };
  const files = config('files', { toolSettings });
  const most = (name: string, isAlone = false): unknown => settingsOfExported(name, files, isAlone).maxRunning;
  expect([most('open'), most('files__write'), most(exportedTool(files, 'a/b', false)), most('files__other')]).toEqual([1, 2, 3, undefined]);
  expect([most('open', true), most('write', true), most('other', true)]).toEqual([1, 2, undefined]);
});

describe('the servers that may have a tool', () => {
  const files = config('files', { toolSettings: { read: { name: 'open' } } });
  const longer = config('files__more');
  const odd = config('größe');

  it('are found by its name alone', () => {
    const all = [files, longer, odd];
    expect(serversOfTool('files__write', all, false)).toEqual([files]);
    expect(serversOfTool('files__more__write', all, false)).toEqual([longer, files]);
    expect(serversOfTool('open', all, false)).toEqual([files]);
    expect(serversOfTool(exportedName('größe', 'x', false), all, false)).toEqual([odd]);
    expect(serversOfTool('other', all, false)).toEqual([]);
  });

  it('are the only one, whatever the name is', () => {
    expect(serversOfTool('anything', [files], true)).toEqual([files]);
  });
});
