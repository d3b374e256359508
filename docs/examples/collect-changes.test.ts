/** A test of a tool that collects what comes within five seconds: npx vitest run collect-changes */
import { runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { collectChanges, saved } from './collect-changes.ts';

test('saves changes together that come soon after each other', async () => {
  const change = (value: string, afterMs: number) => ({ name: 'change', value, afterMs });
  const signals = [change('a', 0), change('b', 3_000), change('c', 7_000), change('d', 60_000)];
  // The tool never ends: it waits for the next change.
  await expect(runTool(collectChanges, { account: 'acme' }, { signals })).rejects.toThrow('change');
  expect(saved).toEqual([['a', 'b', 'c'], ['d']]);
});
