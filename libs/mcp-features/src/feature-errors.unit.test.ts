import { TaskError } from '@longhaul/tasks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fakeRequest } from './testing.js';
import { definePrompt } from './define-prompt.js';
import { defineTool } from './define-tool.js';
import { logFeatureErrors } from './feature-errors.js';
import { ProtocolError, resultOrError } from './tool-result.js';

const lines: unknown[] = [];
let stop: () => void;

beforeEach(() => {
  lines.length = 0;
  stop = logFeatureErrors({ warn: (fields, message) => void lines.push({ ...fields, message }) });
});
afterEach(() => stop());

function toolThat(thrown: unknown) {
  return defineTool({ name: 'breaks', description: 'x', input: z.object({ n: z.number() }), run: () => Promise.reject(thrown as Error) });
}

describe('an error that a feature throws within a request', () => {
  it.each([Number.NaN, Infinity, 1.5, 1e300])('is no JSON-RPC error with the code %d, which none has', async (code) => {
    const error = Object.assign(new Error('it broke'), { code });
    expect(await toolThat(error).call({ n: 1 }, fakeRequest())).toEqual({ isError: true, content: [{ type: 'text', text: 'it broke' }] });
  });

  it('is logged once, with the name of the tool, and the client gets its message', async () => {
    const error = new TypeError('it broke');
    expect(await toolThat(error).call({ n: 1 }, fakeRequest())).toMatchObject({ isError: true });
    expect(lines).toEqual([{ feature: 'Tool breaks', err: error, message: 'a feature failed' }]);
  });

  it('is logged without its message where messages are not to be written', async () => {
    stop();
    stop = logFeatureErrors({ warn: (fields, message) => void lines.push({ ...fields, message }) }, true);
    expect(await toolThat(new TypeError('it broke')).call({ n: 1 }, fakeRequest())).toMatchObject({ isError: true });
    expect(lines).toEqual([
      {
        feature: 'Tool breaks',
        err: { type: 'TypeError', stack: expect.stringMatching(/^ +at /) as string },
        message: 'a feature failed',
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('it broke');
  });

  it('is logged once of a prompt', async () => {
    const error = new Error('it broke');
    const prompt = definePrompt({ name: 'breaks', description: 'x', run: () => Promise.reject(error) });
    await expect(resultOrError('Prompt breaks', () => prompt.get({}, fakeRequest()))).rejects.toThrow('it broke');
    expect(lines).toEqual([{ feature: 'Prompt breaks', err: error, message: 'a feature failed' }]);
  });

  it.each([
    new ProtocolError(-32602, 'no such thing'),
    new TaskError('CLIENT_LACKS_CAPABILITY'),
    Object.assign(new Error('aborted'), { name: 'AbortError' }),
  ])('is not logged when it is meant for the client or of it: %s', async (thrown) => {
    await Promise.allSettled([toolThat(thrown).call({ n: 1 }, fakeRequest())]);
    expect(lines).toEqual([]);
  });

  it('is not logged for wrong arguments', async () => {
    expect(await toolThat(new Error('never')).call({ n: 'x' }, fakeRequest())).toMatchObject({ isError: true });
    expect(lines).toEqual([]);
  });
});
