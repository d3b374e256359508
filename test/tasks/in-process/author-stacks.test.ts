/** Tests that what a tool throws is kept for operators, with the stack in the author's files, and that no client gets the stack. */
import { createFeatureRegistry, defineTool } from '@longhaul/mcp-features';
import { runTool, ToolFailure } from '@longhaul/mcp-features/testing';
import { createOperatorService, rowOf, type TaskEvent } from '@longhaul/tasks';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { gatewaysForTests } from '../../support/gateway/gateways.js';
import { post } from '../../support/gateway/rpc.js';
import { modernClient, type ModernClient } from '../../support/gateway-2026/modern-client.js';
import { startTask, untilStatus } from '../../support/gateway-2026/task-client.js';

function decline(code: string | number): never {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  throw Object.assign(new Error('The card was declined', { cause }), { code });
}

const charge = defineTool({
  name: 'charge',
  description: 'Charges a card.',
  input: z.object({ code: z.union([z.string(), z.number()]) }),
  task: 'optional',
  async run({ code }, context) {
    await context.step('reserve', () => 1);
    await context.step('charge', () => decline(code));
    return 'charged';
  },
});

const gateways = gatewaysForTests({ isStateless: true }, { features: createFeatureRegistry([charge]) });
let client: ModernClient;
beforeAll(() => {
  client = modernClient(gateways.second);
});

const thrown = (code: string | number) => ({
  name: 'Error',
  code,
  step: 'charge',
  stack: expect.stringMatching(
    new RegExp(
      [
        `^Error: The card was declined \\(${code}\\)`,
        '    at decline \\(\\S+author-stacks\\.test\\.ts:14:\\d+\\)',
        '    at \\S.*author-stacks\\.test\\.ts:24:\\d+\\)?',
        'Caused by: Error: connect ECONNREFUSED \\(ECONNREFUSED\\)',
        '    at decline \\(\\S+author-stacks\\.test\\.ts:13:\\d+\\)',
        '    at \\S.*author-stacks\\.test\\.ts:24:\\d+\\)?$',
      ].join('\n'),
    ),
  ) as string,
});

it.each(['CARD_DECLINED', -32_042])('of a thrown %s are for operators, with the step and the reason, and for no client', async (code) => {
  const { taskId } = await startTask(client, 'charge', { code });
  const seen: unknown[] = [await untilStatus(client, taskId, typeof code === 'number' ? 'failed' : 'completed')];
  for (const method of ['tasks/get', 'tasks/result']) {
    const answer = await post(
      gateways.first.app,
      { jsonrpc: '2.0', id: 1, method, params: { taskId } },
      { 'mcp-protocol-version': '2025-11-25' },
    );
    seen.push(answer.json());
  }
  expect(JSON.stringify(seen)).toContain('The card was declined');
  for (const secret of ['stack', 'author-stacks', 'ECONNREFUSED', 'thrown']) expect(JSON.stringify(seen)).not.toContain(secret);

  const operators = createOperatorService(gateways.first.store, { onError: () => undefined });
  const { outcome, view } = await operators.get(taskId);
  expect(outcome).toMatchObject({ thrown: thrown(code) });
  expect(rowOf(view)).toMatchObject({ status: 'failed', reason: String(code) });
  const { events } = await operators.history(taskId, 0, 1_000_000);
  const failed = events.find((event): event is TaskEvent & { type: 'StepFailed'; version: number } => event.type === 'StepFailed');
  expect(failed?.data.error.stack).toEqual(thrown(code).stack);
});

it('of a tool under test are in its run, or in the error that the test gets', async () => {
  expect(await runTool(charge, { code: 'CARD_DECLINED' }, { kills: true })).toMatchObject({ thrown: thrown('CARD_DECLINED') });
  const failed = runTool(charge, { code: -32_042 });
  await expect(failed).rejects.toThrow(ToolFailure);
  await expect(failed).rejects.toMatchObject({ thrown: thrown(-32_042) });
});
