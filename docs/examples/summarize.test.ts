/** Tests of a tool with a budget: npx vitest run summarize */
import { runTool } from '@longhaul/mcp-features/testing';
import { expect, test } from 'vitest';
import { summarize } from './summarize.js';

test('counts each answer once, whenever a worker dies', async () => {
  const after = (run: { spent: object }) => expect(run.spent).toEqual({ tokens: 800 });
  await runTool(summarize, { pages: ['first page', 'second page'] }, { after, kills: true });
});

test('ends when its budget is used up', async () => {
  const pages = ['first page', 'second page', 'third page', 'fourth page'];
  await expect(runTool(summarize, { pages })).rejects.toMatchObject({ data: { reason: 'BUDGET_EXCEEDED', spent: { tokens: 1_200 } } });
});
