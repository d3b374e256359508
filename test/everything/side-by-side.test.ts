/**
 * Everything that the reference server offers, asked of it and of ours: both are processes of their own, each with a stock
 * client that can do all that a server may ask for. What differs is in the list of meant differences, or wrong.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MEANT_DIFFERENCES } from './meant-differences.js';
import { askingTools } from './probes/asking-tools.js';
import { lists } from './probes/lists.js';
import { prompts } from './probes/prompts.js';
import { resources } from './probes/resources.js';
import { session } from './probes/session.js';
import { tasks } from './probes/tasks.js';
import { tools } from './probes/tools.js';
import { compare } from './support/compare.js';
import { type Servers, startServers } from './support/servers.js';

const PROBES = [...lists, ...prompts, ...resources, ...tools, ...askingTools, ...tasks, ...session];

/** Every difference that was found, on a line of its own. */
const found: string[] = [];
const isMeant = (line: string): boolean => MEANT_DIFFERENCES.some(({ matches }) => matches.test(line));

let servers: Servers;

beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.close());

describe('side by side with the reference server', () => {
  it.each(PROBES)('$name', async (probe) => {
    const lines = await compare(servers, probe, isMeant);
    found.push(...lines);
    expect(lines.filter((line) => !isMeant(line))).toEqual([]);
  });

  it.each(MEANT_DIFFERENCES)('differs as it is meant to: $where, $differs', ({ matches }) => {
    expect(found.some((line) => matches.test(line))).toBe(true);
  });

  it('every tool of the reference server was called', async () => {
    const { tools: listed } = (await servers.reference.request('tools/list')) as { tools: { name: string }[] };
    expect(listed.map(({ name }) => name).filter((name) => !servers.reference.called.has(name))).toEqual([]);
  });
});
