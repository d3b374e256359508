/**
 * Compares everything that the reference server offers with ours. Both are separate processes, each with a stock client that supports all
 * requests of servers. Each difference is in the list of intended differences, or wrong.
 */
import { describe, expect, it } from 'vitest';
import { MEANT_DIFFERENCES } from '../meant-differences.js';
import { askingTools } from '../probes/asking-tools.js';
import { lists } from '../probes/lists.js';
import { prompts } from '../probes/prompts.js';
import { resources } from '../probes/resources.js';
import { session } from '../probes/session.js';
import { tasks } from '../probes/tasks.js';
import { tools } from '../probes/tools.js';
import { forAllTests } from '../../support/for-all-tests.js';
import { compare } from '../support/compare.js';
import { startServers } from '../support/servers.js';

/** In parallel, each from `initialize` on: the tasks of the reference server take seconds. */
const GROUPS = {
  tasks: [...lists, ...tasks],
  'everything else': [...lists, ...prompts, ...resources, ...tools, ...askingTools, ...session],
};

/** Every difference that was found, on a line of its own. */
const found: string[] = [];
const isMeant = (line: string): boolean => MEANT_DIFFERENCES.some(({ matches }) => matches.test(line));

const servers = forAllTests(startServers, ({ close }) => close());
const called = new Set<unknown>();

describe('side by side with the reference server', () => {
  describe.concurrent.each(Object.entries(GROUPS))('%s', (_group, probes) => {
    const pair = forAllTests(
      () => servers.connect(),
      async ({ reference, ours }) => {
        for (const name of reference.called) called.add(name);
        await Promise.all([reference.close(), ours.close()]);
      },
    );

    it.each(probes)('$name', { concurrent: false }, async (probe) => {
      const lines = await compare(pair, probe, isMeant);
      found.push(...lines);
      expect(lines.filter((line) => !isMeant(line))).toEqual([]);
    });
  });

  it.each(MEANT_DIFFERENCES)('differs as it is meant to: $where, $differs', ({ matches }) => {
    expect(found.some((line) => matches.test(line))).toBe(true);
  });

  it('every tool of the reference server was called', async () => {
    const { reference, ours } = await servers.connect();
    const { tools: listed } = (await reference.request('tools/list')) as { tools: { name: string }[] };
    await Promise.all([reference.close(), ours.close()]);
    expect(listed.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([]);
  });
});
