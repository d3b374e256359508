import type { Root } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { fakeClient, fakeRequest } from '@longhaul/mcp-features/testing';
import { getRootsList } from './get-roots-list.js';

const textFor = async (listRoots: () => Promise<Root[]>) => {
  const { content, isError } = await getRootsList.call({}, fakeRequest({ client: fakeClient({ capabilities: { roots: {} }, listRoots }) }));
  return { isError, text: content[0]?.type === 'text' ? content[0].text : undefined };
};

describe('get-roots-list', () => {
  it('is for clients with roots', () => {
    expect(getRootsList.needs).toEqual(['roots']);
  });

  it('shows the roots with their names', async () => {
    const { text } = await textFor(async () => [{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }, { uri: 'file:///c', name: '' }]);
    expect(text).toContain('Current MCP Roots (3 total):\n\n1. A\n   URI: file:///a\n\n2. Unnamed Root\n   URI: file:///b\n\n3. Unnamed');
    expect(text).toMatch(/\n {3}URI: file:\/\/\/c\n\nNote: This server demonstrates .* file system access\.$/);
  });

  it('asks the client each time', async () => {
    const roots: Root[] = [];
    const context = fakeRequest({ client: fakeClient({ listRoots: async () => roots }) });
    expect(JSON.stringify(await getRootsList.call({}, context))).toContain('no roots are currently configured');
    roots.push({ uri: 'file:///new' });
    expect(JSON.stringify(await getRootsList.call({}, context))).toContain('1 total');
  });

  it('reports what the client did not answer', async () => {
    expect(await textFor(() => Promise.reject(new Error('The client is busy.')))).toEqual({ isError: true, text: 'The client is busy.' });
  });
});
