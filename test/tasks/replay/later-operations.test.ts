import { defineTool } from '@longhaul/mcp-features';
import type { TaskContext } from '@longhaul/tasks';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../support/engine.js';

it('a tool that calls an operation of a later version gives its task back, through all that stands around its context', async () => {
  const tool = defineTool({
    name: 'waits',
    description: 'Waits for a signal.',
    input: z.object({}),
    task: 'required',
    async run(_args, context) {
      await (context as unknown as TaskContext & { waitForToken(signal: string): Promise<void> }).waitForToken('approved');
      return 'approved';
    },
  });
  const engine = new Engine(async () => undefined);
  for (const version of ['one', 'two'])
    await engine.store.workers.beat({ workerId: version, version, tools: ['waits'], lockToken: '', slots: 1, startedAt: 0 });
  const id = await engine.create({ tool: 'waits' });
  await engine.deliver(engine.worker('w1', { version: 'one', workflows: () => tool.workflow }));
  expect(await engine.story(id)).toEqual(['TaskCreated']);
  expect((await engine.store.parked.groups()).map(({ asked }) => asked)).toEqual([['one']]);
});
