/** Tests results in parts of durable tools, over several passes and workers. */
import { defineTool } from '@longhaul/mcp-features';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../support/engine.js';

const named = { name: 'parts', description: 'Parts', input: z.object({}), task: 'required' } as const;

describe('a durable tool that makes its result in parts', () => {
  it('repeats none of them after waits and the death of a worker: neither its work, nor its progress, nor a part of the result', async () => {
    const runs: string[] = [];
    let crash = (): void => undefined;
    const tool = defineTool({
      ...named,
      async *run(_args, { step, sleep }) {
        for (const chapter of ['one', 'two', 'three']) {
          yield await step(chapter, () => {
            runs.push(chapter);
            return `chapter ${chapter}`;
          });
          if (chapter === 'two') crash();
          await sleep('rest', 1_000);
        }
      },
    });
    const engine = new Engine((context, args) => tool.workflow.run(args, context));
    const id = await engine.create();
    await engine.deliver();
    const lost = await engine.crashing((pull) => {
      crash = pull;
    });
    crash = () => undefined;
    await engine.redeliver(lost);
    await engine.settle();

    expect(await engine.value(id)).toEqual({
      content: ['one', 'two', 'three'].map((chapter) => ({ type: 'text', text: `chapter ${chapter}` })),
    });
    expect(runs).toEqual(['one', 'two', 'three']);
    const progress = (await engine.events(id)).filter(({ type }) => type === 'ProgressReported');
    expect(progress.map(({ data }) => data)).toEqual([
      { progress: 1, message: 'chapter one', seq: 1 },
      { progress: 2, message: 'chapter two', seq: 2 },
      { progress: 3, message: 'chapter three', seq: 3 },
    ]);
  });

  it.each<[string, () => AsyncIterable<string>]>([
    ['a stream', () => ReadableStream.from(['one']) as AsyncIterable<string>],
    ['an iterable of its own', () => ({ [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }) })],
  ])('fails when it returns %s, which a replay would read again', async (_what, make) => {
    const tool = defineTool({ ...named, run: async () => make() });
    const engine = new Engine((context, args) => tool.workflow.run(args, context));
    engine.retry = { attempts: 3 };
    const id = await engine.create();
    await engine.settle();

    expect(await engine.value(id)).toMatch(
      /^TerminalError: Tool parts is durable and returned an async iterable that is no async generator/,
    );
    expect((await engine.story(id)).filter((type) => type === 'PassStarted')).toHaveLength(1);
  });
});
