import { expect, it } from 'vitest';
import { wantedServers } from './wanted-servers.js';

const NONE = { servers: [], refused: new Map() };

it('a server of the file that cannot be used is no command', () => {
  const refused = new Map([['files', 'servers.json: server "files": it has neither']]);
  expect(() => wantedServers(['files'], { servers: [], refused })).toThrow('servers.json: server "files": it has neither');
});

it('servers get short names that differ, however long their hosts are', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
  const names = wantedServers([`https://${host}/mcp`, `https://${host}/other`, 'node a.js', 'node b.js'], NONE).map(({ name }) => name);
  expect(names).toEqual(['a'.repeat(60), `${'a'.repeat(60)}-2`, 'node', 'node-2']);
});
