import { describe, expect, it } from 'vitest';
import { defineResource } from './define-resource.js';
import type { RequestContext } from './request-context.js';
import type { ResourceReturn } from './resource-result.js';

const context = { signal: new AbortController().signal } as RequestContext;
const uri = 'config://all';

const reading = (value: ResourceReturn, mimeType?: string) =>
  defineResource({ uri, name: 'config', ...(mimeType !== undefined && { mimeType }), read: () => value }).read(uri, context);

describe('a resource', () => {
  it('is listed by what it says of itself, without its needs and functions', () => {
    const listing = {
      uri,
      name: 'config',
      title: 'Configuration',
      description: 'All settings',
      mimeType: 'application/json',
      size: 3,
      annotations: { audience: ['user' as const] },
      _meta: { kept: true },
    };
    const resource = defineResource({ ...listing, needs: ['roots'], needsSession: true, read: () => ({}) });
    expect(resource.listing).toEqual(listing);
    expect(resource).toMatchObject({ kind: 'resource', uri, name: 'config', needs: ['roots'], needsSession: true });
  });

  it('needs nothing by default', () => {
    expect(defineResource({ uri, name: 'config', read: () => '' })).toMatchObject({ needs: [], needsSession: false });
  });
});

describe('reading a resource', () => {
  it.each<[string, ResourceReturn, object]>([
    ['a text', 'text', { mimeType: 'text/plain', text: 'text' }],
    ['an empty text', '', { mimeType: 'text/plain', text: '' }],
    ['bytes', new Uint8Array([0, 255]), { mimeType: 'application/octet-stream', blob: 'AP8=' }],
    ['a part of a buffer', new Uint8Array([1, 0, 255, 1]).subarray(1, 3), { mimeType: 'application/octet-stream', blob: 'AP8=' }],
    ['an object', { one: 1 }, { mimeType: 'application/json', text: '{"one":1}' }],
    ['an array', [1, 2], { mimeType: 'application/json', text: '[1,2]' }],
    ['an object that only looks like a result', { contents: 'no list' }, { text: '{"contents":"no list"}' }],
  ])('gives %s, with a type of its kind unless it has one', async (_what, value, content) => {
    expect(await reading(value)).toMatchObject({ contents: [{ uri, ...content }] });
    expect(await reading(value, 'text/html')).toMatchObject({ contents: [{ uri, ...content, mimeType: 'text/html' }] });
  });

  it('gives a full result as it is', async () => {
    const result = { contents: [{ uri: 'config://part', text: 'part' }] };
    expect(await reading(result)).toBe(result);
  });

  it('hands on the URI and the context, and what is thrown', async () => {
    const resource = defineResource({ uri, name: 'a', read: (asked, { signal }) => Promise.resolve(`${asked} ${signal.aborted}`) });
    expect(await resource.read('config://ALL', context)).toMatchObject({
      contents: [{ uri: 'config://ALL', text: 'config://ALL false' }],
    });
    const failing = defineResource({ uri, name: 'a', read: () => Promise.reject(new Error('no disk')) });
    await expect(failing.read(uri, context)).rejects.toThrow('no disk');
  });
});
