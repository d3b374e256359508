import { describe, expect, it } from 'vitest';
import { type ClientCapability, declarationOf, hasCapability, missingCapabilities } from './client-capability.js';
import type { JsonObject } from './json.js';

const all: readonly ClientCapability[] = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'sampling.context',
  'roots',
  'apps',
  'tasks.elicitation',
  'tasks.sampling',
];
const tasks = (requests: JsonObject): JsonObject => ({ tasks: { list: {}, requests } });

describe('a client has the capability', () => {
  it.each<[JsonObject, readonly ClientCapability[]]>([
    [{}, []],
    [{ elicitation: {} }, ['elicitation.form']],
    [{ elicitation: { form: {} } }, ['elicitation.form']],
    [{ elicitation: { applyDefaults: true } }, ['elicitation.form']],
    [{ elicitation: { url: {} } }, ['elicitation.url']],
    [{ elicitation: { form: {}, url: {} } }, ['elicitation.form', 'elicitation.url']],
    [{ sampling: {} }, ['sampling']],
    [{ sampling: { tools: {} }, roots: { listChanged: true } }, ['sampling', 'sampling.tools', 'roots']],
    [{ sampling: { context: {} } }, ['sampling', 'sampling.context']],
    [{ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }, ['apps']],
    [{ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/plain'] } } }, []],
    [{ extensions: { 'io.modelcontextprotocol/ui': {} } }, []],
    [tasks({}), []],
    [tasks({ elicitation: {}, sampling: {} }), []],
    [tasks({ elicitation: { create: {} } }), ['tasks.elicitation']],
    [tasks({ sampling: { createMessage: {} } }), ['tasks.sampling']],
    [{ sampling: null, roots: true, elicitation: [], tasks: 'all' }, []],
  ])('that %j declares', (capabilities, expected) => {
    expect(all.filter((capability) => hasCapability(capabilities, capability))).toEqual(expected);
  });
});

describe('what a client lacks', () => {
  it('is named in the order of the needs', () => {
    expect(missingCapabilities(['tasks.sampling', 'roots', 'sampling'], { roots: {} })).toEqual(['tasks.sampling', 'sampling']);
  });

  it('is nothing where nothing is needed', () => {
    expect(missingCapabilities([], {})).toEqual([]);
  });
});

describe('what a client has to declare', () => {
  it.each(all)('for %s is what it is found by', (capability) => {
    expect(hasCapability(declarationOf([capability]), capability)).toBe(true);
  });

  it('is put together for several, and has all that the longer names imply', () => {
    expect(declarationOf(['sampling.tools', 'sampling', 'elicitation.url', 'tasks.sampling', 'tasks.elicitation'])).toEqual({
      sampling: { tools: {} },
      elicitation: { url: {} },
      tasks: { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
    });
  });
});
