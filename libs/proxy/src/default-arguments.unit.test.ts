import { parseServers, type ServerConfig, settingsOfTool } from '@longhaul/servers';
import { describe, expect, it } from 'vitest';
import { usedDefaults, withDefaults } from './default-arguments.js';

const inputSchema = {
  type: 'object' as const,
  properties: {
    repo: { type: 'string' },
    max: { $ref: '#/$defs/count' },
    since: { type: ['string', 'null'] },
  },
  required: ['repo', 'max'],
  $defs: { count: { type: 'integer', maximum: 10 } },
};

function config(tools: object): ServerConfig {
  const text = JSON.stringify({ mcpServers: { s: { command: 'x', tools } } });
  const [server] = parseServers(text, { from: 'x.json', env: { HOME: '/home/ada' } }).servers;
  if (server === undefined) throw new Error('There is no server.');
  return server;
}

function used(tools: object) {
  const of = config(tools);
  return usedDefaults({ name: 'log', inputSchema }, settingsOfTool('log', of), of);
}

describe('defaults of arguments', () => {
  it('are given to calls that leave them out, and are not stronger than what a call gives', () => {
    const found = used({ log: { defaults: { repo: '/srv', max: 5, since: '2026' } } });
    expect(withDefaults({}, found)).toEqual({ repo: '/srv', max: 5, since: '2026' });
    expect(withDefaults({ repo: '/other', max: 0, since: null }, found)).toEqual({ repo: '/other', max: 0, since: null });
    // A null that the schema does not know stands for nothing.
    expect(withDefaults({ repo: null }, found)).toEqual({ repo: '/srv', max: 5, since: '2026' });
  });

  it('are shown in the schema, but for those with variables; nobody has to give them', () => {
    const { inputSchema: shown } = used({ log: { defaults: { repo: '${HOME}/notes', max: 5 } } });
    expect(shown).toEqual({
      type: 'object',
      properties: { ...inputSchema.properties, max: { $ref: '#/$defs/count', default: 5 } },
      $defs: inputSchema.$defs,
    });
    expect(withDefaults({}, used({ log: { defaults: { repo: '${HOME}/notes' } } }))).toEqual({ repo: '/home/ada/notes' });
  });

  it('of a pattern hold for the tools that have the argument, and are joined with those of a name', () => {
    const found = used({ '*': { defaults: { repo: '/srv', color: 'red' } }, log: { defaults: { max: 1 } } });
    expect(withDefaults({}, found)).toEqual({ repo: '/srv', max: 1 });
  });

  it.each([
    [{ color: 'red' }, 'defaults.color: it has no such argument'],
    [{ repo: 5 }, 'defaults.repo: data must be string'],
    [{ max: 11 }, 'defaults.max: data must be <= 10'],
  ])('that the tool cannot have are refused: %j', (defaults, message) => {
    expect(() => used({ log: { defaults } })).toThrow(message);
  });
});
