import { describe, expect, it } from 'vitest';
import type { ResourceTemplate } from '@longhaul/mcp-features';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { dynamicResourceTemplates } from './dynamic-resource-templates.js';

const NOW = Date.UTC(2026, 0, 2, 15, 4, 5);
const [dynamicTextTemplate, dynamicBlobTemplate] = dynamicResourceTemplates(() => NOW) as [ResourceTemplate, ResourceTemplate];
const context = fakeRequest();

async function read(template: ResourceTemplate, uri: string): Promise<unknown> {
  const variables = template.match(uri);
  return variables === undefined ? 'no match' : template.read(variables, context, uri);
}

describe('the template of dynamic texts', () => {
  it.each(['1', '250', '1.0', '%31'])('makes the text of %s, under the URI that was asked for', async (id) => {
    const uri = `demo://resource/dynamic/text/${id}`;
    const text = expect.stringMatching(/^Resource \d+: This is a plaintext resource created at /);
    expect(await read(dynamicTextTemplate, uri)).toEqual({ contents: [{ uri, mimeType: 'text/plain', text }] });
  });

  it.each(['0', '-1', '1.5', 'abc', '%20'])('has none with the id %s', async (id) => {
    expect(await read(dynamicTextTemplate, `demo://resource/dynamic/text/${id}`)).toBeUndefined();
  });

  it.each(['demo://resource/dynamic/text/', 'demo://resource/dynamic/text/1/2', 'demo://resource/dynamic/blob/1'])(
    'does not match %s',
    async (uri) => {
      expect(await read(dynamicTextTemplate, uri)).toBe('no match');
    },
  );
});

describe('the template of dynamic blobs', () => {
  it('makes base64', async () => {
    const uri = 'demo://resource/dynamic/blob/7';
    const { contents } = (await read(dynamicBlobTemplate, uri)) as { contents: [{ uri: string; blob: string }] };
    expect(contents).toHaveLength(1);
    expect(contents[0].uri).toBe(uri);
    expect(Buffer.from(contents[0].blob, 'base64').toString()).toMatch(/^Resource 7: This is a base64 blob created at /);
  });
});

describe.each([dynamicTextTemplate, dynamicBlobTemplate])('the completion of ids of $uriTemplate', ({ completers }) => {
  it.each([
    ['3', ['3']],
    ['0', []],
    ['', []],
    ['x', []],
  ])('makes of %j %j', (typed, values) => {
    expect(completers['resourceId']?.(typed, {}, context)).toEqual(values);
  });
});
