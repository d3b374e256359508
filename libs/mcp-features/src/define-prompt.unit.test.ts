import { describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { definePrompt, type PromptReturn } from './define-prompt.js';
import type { RequestContext } from './request-context.js';

const context = { signal: new AbortController().signal } as RequestContext;

const letter = definePrompt({
  name: 'letter',
  title: 'Letter',
  description: 'A letter to someone',
  arguments: z.object({
    to: z.string().min(2).describe('Who gets it'),
    tone: z.enum(['warm', 'dry']).default('dry'),
    pages: z.string().transform(Number).optional(),
  }),
  icons: [{ src: 'https://a.example/icon.png' }],
  _meta: { kept: true },
  complete: { to: (value) => [`${value}a`] },
  run({ to, tone, pages }) {
    expectTypeOf(pages).toEqualTypeOf<number | undefined>();
    return `A ${tone} letter to ${to} of ${pages ?? 1} pages.`;
  },
});

const returning = (value: PromptReturn) => definePrompt({ name: 'any', description: 'Any prompt', run: () => value });

describe('a prompt', () => {
  it('is listed with its arguments, of which those without a default are required', () => {
    expect(letter.listing).toEqual({
      name: 'letter',
      title: 'Letter',
      description: 'A letter to someone',
      icons: [{ src: 'https://a.example/icon.png' }],
      arguments: [
        { name: 'to', description: 'Who gets it', required: true },
        { name: 'tone', required: false },
        { name: 'pages', required: false },
      ],
      _meta: { kept: true },
    });
  });

  it('is listed without arguments when it has none', () => {
    expect(returning('').listing).toEqual({ name: 'any', description: 'Any prompt' });
  });

  it('needs what it says it needs, by default nothing', () => {
    expect(returning('')).toMatchObject({ kind: 'prompt', needs: [], needsSession: false });
    const needy = definePrompt({ name: 'a', description: '', needs: ['roots'], needsSession: true, run: () => '' });
    expect(needy).toMatchObject({ needs: ['roots'], needsSession: true });
    expect(needy.listing).toEqual({ name: 'a', description: '' });
  });

  it('completes its arguments, and no others', async () => {
    expect(await letter.completers['to']?.('Ad', {}, context)).toEqual(['Ada']);
    expect(Object.keys(letter.completers)).toEqual(['to']);
    definePrompt({
      name: 'typed',
      description: '',
      arguments: z.object({ to: z.string() }),
      // @ts-expect-error -- an argument that it does not have
      complete: { from: () => [] },
      run: () => '',
    });
  });
});

describe('the arguments of a prompt', () => {
  it('are checked and parsed', () => {
    expect(letter.check({ to: 'Ada', pages: '3' })).toEqual({ ok: true, value: { to: 'Ada', tone: 'dry', pages: 3 } });
  });

  it('may be absent where none is required', () => {
    expect(returning('').check(undefined)).toEqual({ ok: true, value: {} });
  });

  it('are refused by the name of each wrong one', () => {
    expect(letter.check({ to: 'A', tone: 'loud' })).toEqual({
      ok: false,
      message: expect.stringMatching(/^to: .*2 characters; tone: .*"warm"\|"dry"$/) as string,
    });
    expect(letter.check(undefined)).toMatchObject({ ok: false, message: expect.stringMatching(/^to: /) as string });
  });
});

describe('getting a prompt', () => {
  const message = { role: 'assistant', content: { type: 'text', text: 'Hello' } } as const;

  it('gives a text as a message of the user', async () => {
    expect(await letter.get({ to: 'Ada', tone: 'warm' }, context)).toEqual({
      description: 'A letter to someone',
      messages: [{ role: 'user', content: { type: 'text', text: 'A warm letter to Ada of 1 pages.' } }],
    });
  });

  it('gives messages with its description', async () => {
    expect(await returning([message]).get({}, context)).toEqual({ description: 'Any prompt', messages: [message] });
  });

  it('gives a full result as it is', async () => {
    const result = { messages: [message], _meta: { mine: 1 } };
    expect(await returning(result).get({}, context)).toBe(result);
  });

  it('hands on the context, and what is thrown', async () => {
    const aborted = definePrompt({ name: 'a', description: '', run: async (_args, { signal }) => Promise.resolve(String(signal.aborted)) });
    expect(await aborted.get({}, context)).toMatchObject({ messages: [{ content: { text: 'false' } }] });
    const failing = definePrompt({
      name: 'a',
      description: '',
      run: () => {
        throw new Error('no disk');
      },
    });
    await expect(failing.get({}, context)).rejects.toThrow('no disk');
  });
});
