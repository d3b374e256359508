import { describe, expect, it } from 'vitest';
import { toolOf } from './memory-toolbox.fixture.js';
import { nameTools, type ServerTools } from './tool-names.js';

const listedBy = (server: string, ...names: readonly string[]): ServerTools => ({
  server,
  tools: names.map((name) => toolOf(server, { name }).listed),
});

/** The name of each tool, by server and name. */
function named(...servers: readonly ServerTools[]): Readonly<Record<string, string>> {
  return Object.fromEntries(nameTools(servers).map(({ name, server, listed }) => [`${server}/${listed.name}`, name]));
}

describe('names of tools for the model', () => {
  it('are those of the servers where they are unique and fit', () => {
    expect(named(listedBy('a', 'echo', 'get-date'), listedBy('b', 'get_sum'))).toEqual({
      'a/echo': 'echo',
      'a/get-date': 'get-date',
      'b/get_sum': 'get_sum',
    });
  });

  it('have the server in front where two servers have the same', () => {
    expect(named(listedBy('a', 'echo', 'other'), listedBy('b', 'echo'))).toEqual({
      'a/echo': 'a_echo',
      'a/other': 'other',
      'b/echo': 'b_echo',
    });
  });

  it('have the server in front and a hash at the end where something does not fit', () => {
    const names = named(listedBy('a', 'files.read', 'files/read', 'x'.repeat(65)), listedBy('my server', 'echo'), listedBy('b', 'echo'));
    expect(names['a/files.read']).toMatch(/^a_files_read_[0-9a-f]{8}$/);
    expect(names['a/files/read']).toMatch(/^a_files_read_[0-9a-f]{8}$/);
    expect(names[`a/${'x'.repeat(65)}`]).toMatch(/^a_x{53}_[0-9a-f]{8}$/);
    expect(names['my server/echo']).toMatch(/^my_server_echo_[0-9a-f]{8}$/);
    expect(new Set(Object.values(names)).size).toBe(5);
    for (const name of Object.values(names)) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('cannot be taken by a server that lists what a tool of another one would be called', () => {
    const honest = [listedBy('a', 'echo'), listedBy('b', 'echo')];
    const names = named(...honest, listedBy('c', 'a_echo'));
    expect(names['c/a_echo']).toBe('a_echo');
    const hashed = names['a/echo'] ?? '';
    expect(hashed).toMatch(/^a_echo_[0-9a-f]{8}$/);
    const more = named(...honest, listedBy('c', 'a_echo', hashed));
    expect(new Set(Object.values(more)).size).toBe(4);
    expect(more[`c/${hashed}`]).toBe(hashed);
  });

  it('stay apart where a server and a tool are cut at different places', () => {
    const names = named(listedBy('a_b', 'c'), listedBy('a', 'b_c', 'c'), listedBy('x', 'b_c'));
    expect(new Set(Object.values(names)).size).toBe(4);
  });

  it('do not depend on the order of servers and tools', () => {
    const servers = [listedBy('a', 'echo', 'x.y'), listedBy('b', 'echo', 'z'), listedBy('c', 'a_echo')];
    const reversed = servers.toReversed().map(({ server, tools }) => ({ server, tools: tools.toReversed() }));
    expect(named(...reversed)).toEqual(named(...servers));
  });

  it('are given once to what a server lists twice, and lead back to the listing', () => {
    const tools = nameTools([listedBy('a', 'echo', 'echo')]);
    expect(tools).toEqual([{ name: 'echo', server: 'a', listed: toolOf('a', { name: 'echo' }).listed }]);
  });
});
