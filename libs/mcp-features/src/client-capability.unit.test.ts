import type { JsonObject } from '@longhaul/tasks';
import { describe, expect, it } from 'vitest';
import { type ClientCapability, hasCapability, missingCapabilities } from './client-capability.js';

const all: readonly ClientCapability[] = [
  'elicitation.form',
  'elicitation.url',
  'sampling',
  'sampling.tools',
  'sampling.context',
  'roots',
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
