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
  it.each<[string, Partial<Tool>, string, number]>([
    ['as a task, as it may change something', {}, 'optional', 0],
    ['within the request for a while, as it says that it only reads', { annotations: { readOnlyHint: true } }, 'optional', 2_000],
    ['as a task, as it supports tasks', { annotations: { readOnlyHint: true }, execution: { taskSupport: 'required' } }, 'required', 0],
    ['as a task, though its SDK has written that it forbids tasks', { execution: { taskSupport: 'forbidden' } }, 'optional', 0],
  ])('%s', (_title, more, taskSupport, quickMs) => {
    expect(servedTool(config({}), tool(more))).toMatchObject({ taskSupport, quickMs });
  });

  it('within the request for as long as the file says, or not at all', () => {
    const reading = tool({ annotations: { readOnlyHint: true } });
    const quickMsOf = (entry: object): number => servedTool(config(entry), reading).quickMs;
    expect(quickMsOf({ quickMs: 0 })).toBe(0);
    expect(quickMsOf({ quickMs: 0, tools: { 'search_*': { quickMs: 500 } } })).toBe(500);
    expect(quickMsOf({ tools: { search_all: { task: 'optional' } } })).toBe(0);
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
