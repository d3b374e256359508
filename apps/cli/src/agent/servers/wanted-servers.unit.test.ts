import { expect, it } from 'vitest';
import { wantedServers } from './wanted-servers.js';

it('servers get short names that differ, however long their hosts are', () => {
  const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.com`;
  const names = wantedServers([`https://${host}/mcp`, `https://${host}/other`, 'node a.js', 'node b.js'], []).map(({ name }) => name);
  expect(names).toEqual(['a'.repeat(60), `${'a'.repeat(60)}-2`, 'node', 'node-2']);
});
