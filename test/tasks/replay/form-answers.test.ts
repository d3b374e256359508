/** Tests answers to forms of durable tools: an answer that does not fit reaches no workflow and no replay. */
import { defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../support/engine.js';

/** Asks for an age, by a form in the words of the protocol or from a schema, and notes what it gets. */
function asker(kind: 'raw' | 'zod', seen: unknown[]) {
  const params = {
    message: 'How old?',
    requestedSchema: { type: 'object' as const, properties: { age: { type: 'integer' as const, maximum: 150 } }, required: ['age'] },
  };
  const form = z.object({ age: z.int().max(150) });
  return defineTool({
    name: 'asker',
    description: 'Asks for an age',
    input: z.object({}),
    task: 'required',
    async run(_args, { elicit }) {
      const answer = await (kind === 'raw' ? elicit(params) : elicit(form, 'How old?'));
      seen.push(answer);
      return JSON.stringify(answer);
    },
  });
}

function engineFor(tool: ReturnType<typeof asker>): Engine {
  return new Engine((context, args) => tool.workflow.run(args, context));
}

describe.each(['raw', 'zod'] as const)('an answer to a %s form', (kind) => {
  it('is refused when it does not fit, and the question stays open until one does', async () => {
    const seen: unknown[] = [];
    const engine = engineFor(asker(kind, seen));
    const id = await engine.create();
    await engine.settle();
    for (const age of [200, 'old', 1.5, null]) {
      const refused = engine.answer(id, '$elicit', { action: 'accept', content: { age } });
      await expect(refused).rejects.toMatchObject({ code: 'ANSWER_DOES_NOT_FIT', message: expect.stringContaining('"age"') as string });
      await engine.settle();
    }
    expect((await engine.events(id)).filter(({ type }) => type === 'InputReceived')).toEqual([]);
    await engine.answer(id, '$elicit', { action: 'accept', content: { age: '36' } });
    await engine.settle();

    expect(await engine.value(id)).toMatchObject({ content: [{ text: '{"action":"accept","content":{"age":36}}' }] });
    expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"action":"accept","content":{"age":36}}']));
  });
});

describe('a schema that says more than a form can', () => {
  it('has the question recorded again, with the reason, for an answer that fits the form alone', async () => {
    const form = z.object({ code: z.string().regex(/^a-\d$/, 'must look like a-1') });
    const tool = defineTool({
      name: 'asker',
      description: 'Asks for a code',
      input: z.object({}),
      task: 'required',
      run: async (_args, { elicit }) => JSON.stringify(await elicit(form, 'Which?')),
    });
    const engine = engineFor(tool);
    const id = await engine.create();
    await engine.settle();
    await engine.answer(id, '$elicit', { action: 'accept', content: { code: 'b' } });
    await engine.settle();
    const asked = (await engine.events(id)).flatMap(({ type, data }) => (type === 'InputRequested' ? [data.params['message']] : []));
    expect(asked).toEqual(['Which?', 'code: must look like a-1.\n\nWhich?']);
    await engine.answer(id, '$elicit:2', { action: 'accept', content: { code: 'a-7' } });
    await engine.settle();

    expect(await engine.value(id)).toMatchObject({ content: [{ text: '{"action":"accept","content":{"code":"a-7"}}' }] });
  });
});
