import { describe, expect, it } from 'vitest';
import type { Prompt } from '@longhaul/mcp-features';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { argsPrompt } from './args-prompt.js';
import { completablePrompt } from './completable-prompt.js';
import { resourcePrompt as resourcePromptAt } from './resource-prompt.js';
import { simplePrompt } from './simple-prompt.js';

const NOW = Date.UTC(2026, 0, 2, 15, 4, 5);
const resourcePrompt = resourcePromptAt(() => NOW);
const context = fakeRequest();

async function get(prompt: Prompt, args: Record<string, string> = {}): Promise<unknown> {
  const checked = prompt.check(args);
  if (!checked.ok) throw new Error(checked.message);
  return prompt.get(checked.value, context);
}

const complete = (prompt: Prompt, argument: string, typed: string, given: Record<string, string> = {}) =>
  prompt.completers[argument]?.(typed, given, context);

const said = (text: string) => ({ role: 'user', content: { type: 'text', text } });

describe('simple-prompt', () => {
  it('takes no arguments and always says the same', async () => {
    expect(simplePrompt.listing.arguments).toBeUndefined();
    expect(await get(simplePrompt)).toEqual({ messages: [said('This is a simple prompt without arguments.')] });
  });
});

describe('args-prompt', () => {
  it('lists which argument may be left out', () => {
    expect(argsPrompt.listing.arguments).toEqual([
      { name: 'city', description: 'Name of the city', required: true },
      { name: 'state', required: false },
    ]);
  });

  it.each([
    [{ city: 'Bergen' }, "What's weather in Bergen?"],
    [{ city: 'Austin', state: 'Texas' }, "What's weather in Austin, Texas?"],
    [{ city: 'Austin', state: '' }, "What's weather in Austin?"],
  ])('asks for the weather with %j', async (args, text) => {
    expect(await get(argsPrompt, args)).toEqual({ messages: [said(text)] });
  });

  it('names the argument that is missing', () => {
    expect(argsPrompt.check({ state: 'Texas' })).toMatchObject({ ok: false, message: expect.stringContaining('city: ') });
  });
});

describe('completable-prompt', () => {
  it('is made of both arguments, with any value', async () => {
    const messages = [said('Please promote Zoe to the head of the Choir team.')];
    expect(await get(completablePrompt, { department: 'Choir', name: 'Zoe' })).toEqual({ messages });
  });

  it.each([
    ['', ['Engineering', 'Sales', 'Marketing', 'Support']],
    ['S', ['Sales', 'Support']],
    ['s', []],
  ])('completes the department %j', (typed, values) => {
    expect(complete(completablePrompt, 'department', typed)).toEqual(values);
  });

  it.each([
    ['Engineering', '', ['Alice', 'Bob', 'Charlie']],
    ['Sales', 'E', ['Eve']],
    ['Marketing', 'X', []],
    ['Support', '', ['John', 'Kim', 'Lee']],
    ['Choir', '', []],
  ])('completes names of the department %s from %j', (department, typed, values) => {
    expect(complete(completablePrompt, 'name', typed, { department })).toEqual(values);
  });

  it('has no names while no department is given', () => {
    expect(complete(completablePrompt, 'name', '')).toEqual([]);
  });
});

describe('resource-prompt', () => {
  it.each([
    [
      'Text',
      '3',
      { uri: 'demo://resource/dynamic/text/3', mimeType: 'text/plain', text: expect.stringMatching(/^Resource 3: This is a plaintext/) },
    ],
    ['Blob', '4', { uri: 'demo://resource/dynamic/blob/4', mimeType: 'text/plain', blob: expect.stringMatching(/^[A-Za-z\d+/]+=*$/) }],
  ])('brings the %s resource %s along', async (resourceType, resourceId, resource) => {
    expect(await get(resourcePrompt, { resourceType, resourceId })).toEqual({
      messages: [
        said(`This prompt includes the ${resourceType} resource with id: ${resourceId}. Please analyze the following resource:`),
        { role: 'user', content: { type: 'resource', resource } },
      ],
    });
  });

  it.each([
    ['text', '1', 'Invalid resourceType: text. Must be Text or Blob.'],
    ['Text', '0', 'Invalid resourceId: 0. Must be a finite positive integer.'],
    ['Blob', '1.5', 'Invalid resourceId: 1.5. Must be a finite positive integer.'],
    ['Blob', 'one', 'Invalid resourceId: one. Must be a finite positive integer.'],
  ])('refuses %s %s as invalid params', async (resourceType, resourceId, message) => {
    await expect(get(resourcePrompt, { resourceType, resourceId })).rejects.toMatchObject({ code: -32602, message });
  });

  it.each([
    ['resourceType', '', ['Text', 'Blob']],
    ['resourceType', 'B', ['Blob']],
    ['resourceId', '12', ['12']],
    ['resourceId', '0', []],
    ['resourceId', 'x', []],
  ])('completes %s from %j', (argument, typed, values) => {
    expect(complete(resourcePrompt, argument, typed)).toEqual(values);
  });
});
