import type { ProgressReport } from '@longhaul/tasks';
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeClient, fakeRequest } from './testing.js';
import { defineTool } from './define-tool.js';
import type { RequestContext } from './request-context.js';
import type { ToolPart, ToolParts } from './tool-parts.js';

const image: ContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' };
const text = (said: string): ContentBlock => ({ type: 'text', text: said });

/** Calls a tool, and notes the progress that it reports. */
async function called(run: (context: RequestContext) => ToolParts<string> | Promise<ToolParts<string>>, signal?: AbortSignal) {
  const reports: ProgressReport[] = [];
  const client = { ...fakeClient(), progress: (report: ProgressReport) => void reports.push(report) };
  const tool = defineTool({ name: 'parts', description: 'Parts', input: z.object({}), run: (_args, context) => run(context) });
  const result = await tool.call({}, fakeRequest({ client, ...(signal !== undefined && { signal }) }));
  return { result, reports };
}

async function* generate(...parts: readonly ToolPart[]): AsyncGenerator<ToolPart, void> {
  yield* parts;
}

describe('a tool that returns an async iterable', () => {
  it('reports each part as progress, and answers with all of them', async () => {
    const { result, reports } = await called(() => generate('one', 'two'));

    expect(reports).toEqual([
      { progress: 1, message: 'one' },
      { progress: 2, message: 'two' },
    ]);
    expect(result).toEqual({ content: [text('one'), text('two')] });
  });

  it('may make it later, and of a stream', async () => {
    const { result } = await called(async () => ReadableStream.from(['one', 'two']));
    expect(result).toEqual({ content: [text('one'), text('two')] });
  });

  it('has what a part holds in its result: texts, content, arrays of it, and other values as JSON', async () => {
    const { result, reports } = await called(() => generate(7, image, [text('a'), image, text('b')], { n: 1 }, []));

    expect(result).toEqual({ content: [text('7'), image, text('a'), image, text('b'), text('{"n":1}'), text('[]')] });
    expect(reports).toEqual([
      { progress: 1, message: '7' },
      { progress: 2 },
      { progress: 3, message: 'a\nb' },
      { progress: 4, message: '{"n":1}' },
      { progress: 5, message: '[]' },
    ]);
  });

  it('answers with no content when there were no parts', async () => {
    expect(await called(() => generate())).toEqual({ result: { content: [] }, reports: [] });
  });

  it('answers with what its generator returns, if it returns something', async () => {
    const { result, reports } = await called(async function* () {
      yield 'half';
      return 'whole';
    });
    expect(reports).toEqual([{ progress: 1, message: 'half' }]);
    expect(result).toEqual({ content: [text('whole')] });
  });

  it('has to return what fits its output schema, where it has one', async () => {
    const sizeOf = (size: number | undefined) =>
      defineTool({
        name: 'size',
        description: 'Size',
        input: z.object({}),
        output: z.object({ size: z.number() }),
        async *run() {
          yield 'measuring';
          return size === undefined ? undefined : { size };
        },
      }).call({}, fakeRequest());
    expect(await sizeOf(3)).toEqual({ content: [text('{"size":3}')], structuredContent: { size: 3 } });
    expect(await sizeOf(undefined)).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('output schema') }] });
  });

  it('fails with what is thrown between its parts', async () => {
    const { result } = await called(async function* () {
      yield 'one';
      throw new Error('no more paper');
    });
    expect(result).toEqual({ isError: true, content: [text('no more paper')] });
  });

  it('is ended when a part is no JSON, and says which tool it was', async () => {
    let isEnded = false;
    const { result } = await called(async function* () {
      try {
        yield { at: 1n };
      } finally {
        isEnded = true;
      }
    });
    expect(isEnded).toBe(true);
    expect(result).toEqual({ isError: true, content: [text('Tool parts (part 1) returned what is not JSON: value.at is a bigint.')] });
  });

  it('is ended when its parts take more than a result may', async () => {
    let made = 0;
    const { result } = await called(async function* () {
      for (;;) {
        made += 1;
        yield 'x'.repeat(2 ** 20);
      }
    });
    expect(made).toBe(8);
    expect(result).toEqual({ isError: true, content: [text('Tool parts: the parts of its result have more than 8388608 bytes as JSON.')] });
  });

  it('is ended at its next part when the client has cancelled the call', async () => {
    const abort = new AbortController();
    let made = 0;
    const { result } = await called(async function* () {
      for (;;) {
        made += 1;
        if (made === 3) abort.abort(new Error('cancelled by the client'));
        yield `part ${made}`;
      }
    }, abort.signal);
    expect(made).toBe(3);
    expect(result).toEqual({ isError: true, content: [text('cancelled by the client')] });
  });
});
