import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import { accept, runTool } from '../testing.js';
import type { DurableContext } from '../tool.js';
import { tool } from './trial-tool.fixture.js';

const naps = defineTool({
  name: 'naps',
  description: 'Sleeps.',
  input: z.object({ hours: z.number() }),
  output: z.object({ slept: z.number() }),
  task: 'optional',
  async run({ hours }, context) {
    await context.sleep('nap', hours * 3_600_000);
    return { slept: await context.step('wake up', () => hours) };
  },
});

const asks = defineTool({
  name: 'asks',
  description: 'Asks.',
  input: z.object({}),
  task: 'optional',
  async run(_args, context) {
    const answer = await context.elicit(z.object({ name: z.string() }), 'Who?');
    return answer.action === 'accept' ? answer.content.name : answer.action;
  },
});

const codeOf = ({ code }: { readonly code?: string }): string => String(code);

describe('a tool that calls tools, in a test', () => {
  it('has them at the same time, in the types of their schemas', async () => {
    const all = tool(async (context) => {
      const found = await Promise.all([1, 2, 3].map((hours) => context.call(naps, { hours })));
      expectTypeOf(found[0]?.structuredContent.slept).toEqualTypeOf<number | undefined>();
      return found.reduce((hours, { structuredContent: { slept } }) => hours + slept, 0);
    });
    expect(await runTool(all, {}, { tools: [naps], kills: true })).toMatchObject({
      text: '6',
      elapsedMs: 3 * 3_600_000,
      stepRuns: { 'naps: wake up': 3 },
      warnings: [],
    });
  });

  it('asks what they ask', async () => {
    const asking = tool(async (context) => (await context.call('asks')).content);
    const run = await runTool(asking, {}, { tools: [asks], answers: [{ when: 'Who?', answer: accept({ name: 'Ada' }) }], kills: true });
    expect(run.text).toBe('Ada');
    expect(run.asked).toMatchObject([{ params: { _meta: { 'longhaul/askedBy': ['trial', 'asks'] } } }]);
  });

  it('passes signals to the one that waits for them', async () => {
    const waits = (name: string) =>
      defineTool({
        name,
        description: 'Waits.',
        input: z.object({}),
        task: 'optional',
        run: async (_args, context) => `${name} ${await context.waitFor('go', { schema: z.number() })}`,
      });
    const tools = [waits('first'), waits('second')];
    const both = tool(async (context) => {
      const own = await context.waitFor('go', { schema: z.number() });
      const texts = [await context.call('first'), await context.call('second')].flatMap(({ content }) => content);
      return [own, ...texts.map((each) => (each.type === 'text' ? each.text : ''))].join();
    });
    const signals = [
      { name: 'go', value: 2, tool: 'second' },
      { name: 'go', value: 1, tool: 'first', afterMs: 60_000 },
      { name: 'go', value: 0 },
    ];
    const run = await runTool(both, {}, { tools, signals, kills: true });
    expect(run).toMatchObject({ text: '0,first 1,second 2', elapsedMs: 60_000 });
  });

  it('gets what the test says in their place', async () => {
    const calling = tool(async (context) => {
      const results = ['good', 'bad', 'worse'].map((name) =>
        context.call(name).then(
          ({ content: [first] }) => (first?.type === 'text' ? first.text : ''),
          (error: { code?: string }) => codeOf(error),
        ),
      );
      return (await Promise.all(results)).join();
    });
    const tools = {
      good: { content: [{ type: 'text' as const, text: 'fine' }] },
      bad: () => {
        throw new Error('It broke.');
      },
    };
    expect((await runTool(calling, {}, { tools })).text).toBe('fine,CHILD_FAILED,CHILD_REFUSED');
  });

  it('may give up on one, which is cancelled then', async () => {
    const racing = tool(async (context: DurableContext) => {
      const first = await Promise.race([
        context.call(naps, { hours: 5 }).then(() => 'nap'),
        context.sleep('patience', 60_000).then(() => 'patience'),
      ]);
      return first;
    });
    expect(await runTool(racing, {}, { tools: [naps], kills: true })).toMatchObject({ text: 'patience', elapsedMs: 60_000 });
  });
});
