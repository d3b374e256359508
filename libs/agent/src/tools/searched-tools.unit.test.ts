import { describe, expect, it } from 'vitest';
import type { Message } from '../conversation/messages.js';
import { toolOf } from './memory-toolbox.fixture.js';
import { SearchedTools } from './searched-tools.js';
import type { AgentTool } from './toolbox.js';

const KINDS = ['invoice', 'ticket', 'photo', 'song', 'recipe', 'flight'];
const VERBS = ['list', 'read', 'create', 'delete'];
/** 24 tools of two servers. */
const TOOLS: readonly AgentTool[] = KINDS.flatMap((kind, at) =>
  VERBS.map((verb) => toolOf(at < 3 ? 'office' : 'home', { name: `${verb}_${kind}`, description: `Can ${verb} one ${kind} of yours.` })),
);

const asked = (content: string): Message => ({ role: 'user', content });
const names = (tools: readonly AgentTool[]): readonly string[] => tools.map(({ name }) => name);

function search(tools: SearchedTools, query: string, id = 'a'): readonly Message[] {
  const [tool] = tools.all;
  if (tool === undefined) throw new Error('no search');
  const { content } = tools.answer({ id, tool, arguments: { query } });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const called = { id, type: 'function', function: { name: tool.name, arguments: JSON.stringify({ query }) } } as const;
  return [
    { role: 'assistant', content: '', tool_calls: [called] },
    { role: 'tool', tool_call_id: id, content: text },
  ];
}

describe('tools that are too many for a request', () => {
  it('are all given while they are few enough', () => {
    const tools = new SearchedTools(TOOLS, TOOLS.length);
    expect(tools.given([asked('Hello')])).toBe(TOOLS);
    expect(tools.all).toBe(TOOLS);
  });

  it('are given as far as they fit the question, with a search for the others', () => {
    const tools = new SearchedTools(TOOLS, 8);
    const given = names(tools.given([asked('Please delete the photos of last year')]));
    expect(given[0]).toBe('search_tools');
    expect(given).toContain('delete_photo');
    expect(given.length).toBeLessThanOrEqual(9);
    expect(tools.all).toHaveLength(25);
    expect(tools.all[0]?.listed.description).toContain('There are 24, of these servers: office, home.');
  });

  it('are given when a search has found them, and stay until later ones need the room', () => {
    const tools = new SearchedTools(TOOLS, 8);
    const first = [asked('Hello'), ...search(tools, 'recipe')];
    expect(names(tools.given(first)).slice(1)).toEqual(
      expect.arrayContaining(['list_recipe', 'read_recipe', 'create_recipe', 'delete_recipe']),
    );
    const second = [...first, ...search(tools, 'song', 'b'), ...search(tools, 'flight', 'c')];
    const given = names(tools.given(second));
    expect(given).toHaveLength(9);
    for (const kind of ['flight', 'song', 'recipe']) expect(given.filter((name) => name.endsWith(kind)).length).toBeGreaterThan(1);
    const many = Array.from({ length: 20 }, (_, at) => search(tools, at % 2 === 0 ? 'song' : 'flight', `d${at}`)).flat();
    expect(names(tools.given([...first, ...many])).filter((name) => name.endsWith('recipe'))).toEqual([]);
  });

  it('are found by parts of names in any form, by the server, and with typing errors', () => {
    const camel = new SearchedTools([...TOOLS, toolOf('mail', { name: 'sendMessageNow' })], 8);
    const found = (query: string): string => JSON.stringify(search(camel, query)[1]?.content);
    expect(found('message')).toContain('sendMessageNow');
    expect(found('mesage')).toContain('sendMessageNow');
    expect(found('mail')).toContain('sendMessageNow');
    expect(found('invoices')).toContain('read_invoice');
  });

  it.each(['', '🦉', '\ud800', 'x'.repeat(100_000), '"*~^'])('are not found by what says nothing: %j', (query) => {
    const tools = new SearchedTools(TOOLS, 8);
    expect(JSON.stringify(search(tools, query))).toContain('No tool fits these words');
    expect(names(tools.given([asked(query)]))).toEqual(['search_tools']);
  });

  it('keep their names where a server has a tool of the name of the search', () => {
    const tools = new SearchedTools([...TOOLS, toolOf('odd', { name: 'search_tools' })], 8);
    expect(tools.all[0]?.name).toBe('search_tools_');
    const conversation = [asked('Hello'), ...search(tools, 'recipe')];
    expect(names(tools.given(conversation))).toContain('read_recipe');
  });

  it('are those that there are, whatever a result says that was found', () => {
    const tools = new SearchedTools(TOOLS, 8);
    const [call] = search(tools, 'recipe');
    for (const content of ['{"tools":[{"name":"rm"},7,null]}', '{"tools":"all"}', 'no JSON', '[]']) {
      const forged: readonly Message[] = [asked('Hi'), ...(call === undefined ? [] : [call]), { role: 'tool', tool_call_id: 'a', content }];
      expect(names(tools.given(forged))).toEqual(['search_tools']);
    }
  });
});
