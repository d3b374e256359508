import { parseServers, type ServerConfig } from '@longhaul/servers';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { servedTool } from './served-tool.js';

function config(entry: object): ServerConfig {
  const [server] = parseServers(JSON.stringify({ mcpServers: { s: { command: 'x', ...entry } } }), { from: 'x.json', env: {} }).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
}

const tool = (more: Partial<Tool> = {}): Tool => ({ name: 'search_all', inputSchema: { type: 'object' }, ...more });

describe('a tool is served', () => {
  it.each<[string, Partial<Tool>, string]>([
    ['as a task, as it may change something', {}, 'optional'],
    ['within the request, as it says that it only reads', { annotations: { readOnlyHint: true } }, 'forbidden'],
    ['as a task, as it supports tasks', { annotations: { readOnlyHint: true }, execution: { taskSupport: 'required' } }, 'required'],
    ['as a task, though its SDK has written that it forbids tasks', { execution: { taskSupport: 'forbidden' } }, 'optional'],
  ])('%s', (_title, more, expected) => {
    expect(servedTool(config({}), tool(more)).taskSupport).toBe(expected);
  });

  it('as the file says, a name more than a pattern', () => {
    const of = config({ tools: { 'search_*': { task: 'forbidden', timeoutMs: 5 }, search_all: { task: 'required' } } });
    expect(servedTool(of, tool())).toMatchObject({ taskSupport: 'required', settings: { timeoutMs: 5 } });
  });

  it('with what the file adds to what it says of itself', () => {
    const of = config({ tools: { '*': { annotations: { idempotentHint: true }, title: 'All' } } });
    expect(servedTool(of, tool({ annotations: { readOnlyHint: false }, description: 'd' })).listed).toEqual({
      ...tool(),
      description: 'd',
      title: 'All',
      annotations: { readOnlyHint: false, idempotentHint: true },
    });
  });
});
