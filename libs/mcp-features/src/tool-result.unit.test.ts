import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from './define-tool.js';
import { fakeRequest } from './testing/fakes.js';
import { runTool } from './testing/run-tool.js';

class Point {
  x = 1;
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;

/** Values that JSON would leave out or change, with their messages: the same messages as for the value of a step. */
const NOT_JSON: readonly (readonly [unknown, string])[] = [
  [new Map([['a', 1]]), 'value is a Map'],
  [{ found: new Set([1]) }, 'value.found is a Set'],
  [{ at: new Date(0) }, 'value.at is a Date'],
  [[new Point()], 'value[0] is a Point'],
  [() => 1, 'value is a function'],
  [Symbol('s'), 'value is a symbol'],
  [{ count: 1n }, 'value.count is a bigint'],
  [Number.NaN, 'value is NaN'],
  [{ error: new RangeError('far') }, 'value.error is a RangeError'],
  [circular, 'value.self is nested deeper than 500 levels, or circular'],
];

const spec = { name: 'made', description: 'Made by the test', input: z.object({}) };

/** How a tool may come to what it gives to its caller. @returns the texts of its results, of each kind of tool */
async function texts(run: () => unknown): Promise<readonly string[]> {
  const plain = defineTool({ ...spec, run: run as () => string });
  const durable = defineTool({ ...spec, task: 'optional', run: async () => run() as string });
  const results = [await plain.call({}, fakeRequest()), (await runTool(durable)).result];
  return results.map(
    ({ isError, content }) => `${String(isError)} ${content.map((block) => (block.type === 'text' ? block.text : '')).join()}`,
  );
}

/** The same of a generator. */
async function textsOfParts(run: () => AsyncGenerator<unknown, unknown>): Promise<readonly string[]> {
  const plain = defineTool({ ...spec, run: run as () => AsyncGenerator<string> });
  const durable = defineTool({ ...spec, task: 'optional', run: run as () => AsyncGenerator<string> });
  const results = [await plain.call({}, fakeRequest()), (await runTool(durable)).result];
  return results.map(
    ({ isError, content }) => `${String(isError)} ${content.map((block) => (block.type === 'text' ? block.text : '')).join()}`,
  );
}

describe('what is no JSON', () => {
  it.each(NOT_JSON)('is no result: %o', async (value, why) => {
    const text = `true Tool made returned what is not JSON: ${why}.`;
    expect(await texts(() => value)).toEqual([text, text]);
  });

  it.each(NOT_JSON)('is no part of a result: %o', async (value, why) => {
    const text = `true Tool made (part 2) returned what is not JSON: ${why}.`;
    const parts = async function* (): AsyncGenerator {
      yield 'one';
      yield value;
    };
    expect(await textsOfParts(parts)).toEqual([text, text]);
  });

  it.each(NOT_JSON)('is not what a generator returns: %o', async (value, why) => {
    const text = `true Tool made returned what is not JSON: ${why}.`;
    // oxlint-disable-next-line require-yield -- what it returns is the point
    const parts = async function* (): AsyncGenerator<unknown, unknown> {
      return value;
    };
    expect(await textsOfParts(parts)).toEqual([text, text]);
  });

  it('is nothing to yield', async () => {
    const text = 'true Tool made (part 1) returned undefined, which is nothing to send.';
    const parts = async function* (): AsyncGenerator {
      yield undefined;
    };
    expect(await textsOfParts(parts)).toEqual([text, text]);
  });

  it('may be what an output schema makes JSON of', async () => {
    const at = z.preprocess((date) => (date instanceof Date ? date.toISOString() : date), z.string());
    const tool = defineTool({ ...spec, output: z.object({ at }), run: () => ({ at: new Date(0) }) });
    expect((await tool.call({}, fakeRequest())).structuredContent).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  });
});

describe('what is thrown and is no Error', () => {
  it.each([
    [undefined, 'It threw undefined, which is no Error.'],
    [null, 'It threw null, which is no Error.'],
    [404, 'It threw 404, which is no Error.'],
    ['', 'It threw "", which is no Error.'],
    ['no paper', 'no paper'],
    [{ reason: 'no paper' }, 'It threw {"reason":"no paper"}, which is no Error.'],
    [{ message: 'no paper' }, 'no paper'],
    [circular, 'It threw an object that cannot be read, which is no Error.'],
    [1n, 'It threw a bigint, which is no Error.'],
    [new RangeError(), 'RangeError without a message'],
  ])('says what it is: %o', async (thrown, text) => {
    // oxlint-disable-next-line prefer-promise-reject-errors -- what is no Error is the point
    expect(await texts(() => Promise.reject(thrown))).toEqual([`true ${text}`, `true ${text}`]);
  });
});
