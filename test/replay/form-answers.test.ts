/** Answers to forms of durable tools, checked again in each replay. */
import { defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../support/engine.js';

const requestedSchema = { type: 'object', properties: { age: { type: 'integer', maximum: 150 } }, required: ['age'] } as const;

/** Asks until it gets an age, by a form in the words of the protocol or from a schema. */
function asker(kind: 'raw' | 'zod', refusals: string[]) {
  return defineTool({
    name: 'asker',
    description: 'Asks for an age',
    input: z.object({}),
    task: 'required',
    async run(_args, { elicit }) {
      for (;;) {
        try {
          const params = { message: 'How old?', requestedSchema: { ...requestedSchema, required: ['age'] } };
          const answer = kind === 'raw' ? await elicit(params) : await elicit(z.object({ age: z.int().max(150) }));
          return JSON.stringify(answer);
        } catch (error) {
          refusals.push((error as Error).name);
        }
      }
    },
  });
}

describe.each(['raw', 'zod'] as const)('an answer to a %s form that does not fit', (kind) => {
  it('is thrown in the workflow, which may ask again, and in every replay', async () => {
    const refusals: string[] = [];
    const tool = asker(kind, refusals);
    const engine = new Engine((context, args) => tool.workflow.run(args, context));
    const id = await engine.create();
    await engine.settle();
    for (const [key, age] of [
      ['$elicit', 200],
      ['$elicit:2', 'old'],
      ['$elicit:3', 36],
    ] as const) {
      await engine.answer(id, key, { action: 'accept', content: { age } });
      await engine.settle();
    }
    expect(await engine.value(id)).toMatchObject({ content: [{ text: '{"action":"accept","content":{"age":36}}' }] });
    // The first answer is refused in the second pass, and both in the third and the fourth one.
    expect(refusals).toEqual(['ZodError', 'ZodError', 'ZodError', 'ZodError', 'ZodError']);
  });
});
