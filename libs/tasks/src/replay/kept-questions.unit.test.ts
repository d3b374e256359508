/** Tests questions of a task that its client cannot be asked, and that the task keeps for somebody else. */
import { describe, expect, it } from 'vitest';
import { Engine } from '../../../../test/support/engine.js';
import type { TaskId } from '../domain/task-id.js';

describe('a question that its task keeps', () => {
  const url = { mode: 'url' as const, message: 'Pay', url: 'https://example.com/', elicitationId: 'e' };
  const form = { message: 'Name?', requestedSchema: { type: 'object' as const, properties: {} } };
  const nobody = { generation: '2025-11-25', protocolVersion: '2025-11-25', capabilities: {} } as const;
  const engine = new Engine(async (context) => {
    const roots = await context.listRoots().catch((error: Error & { code: string }) => error.code);
    const answers = await Promise.all([context.elicit(form), context.elicit(url)]);
    return [roots, ...answers.map(({ action }) => action)];
  });
  const answerAll = async (id: TaskId): Promise<unknown> => {
    for (const { key } of (await engine.service.get(id, { owner: 'ada' })).pendingInputs)
      await engine.answer(id, key, { action: 'decline' });
    await engine.settle();
    return engine.value(id);
  };

  it('waits for an answer of somebody else, on every worker, and other kinds of questions fail as ever', async () => {
    const id = await engine.create({ client: nobody, keptQuestions: ['elicitation'] });
    await engine.settle();
    expect((await engine.service.get(id, { owner: 'ada' })).pendingInputs.map(({ params }) => params['message'])).toEqual(['Name?', 'Pay']);
    expect(await answerAll(id)).toEqual(['CLIENT_LACKS_CAPABILITY', 'decline', 'decline']);
  });

  it('waits in a fork of the task too', async () => {
    const id = await engine.create({ client: nobody, keptQuestions: ['elicitation'] });
    await engine.settle();
    await answerAll(id);
    const fork = await engine.fork(id);
    await engine.settle();
    expect(await answerAll(fork)).toEqual(['CLIENT_LACKS_CAPABILITY', 'decline', 'decline']);
  });
});
