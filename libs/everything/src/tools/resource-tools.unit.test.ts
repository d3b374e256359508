import { describe, expect, it } from 'vitest';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { dynamicBlob, dynamicText } from '../resources/dynamic-resources.js';
import { getResourceLinks } from './get-resource-links.js';
import { getResourceReference } from './get-resource-reference.js';

const clock = () => Date.UTC(2026, 0, 2, 15, 4, 5);
const reference = getResourceReference(clock);

describe('get-resource-links', () => {
  it('links to blobs and texts by turns', async () => {
    const link = (uri: string, id: number, type: string) => ({
      type: 'resource_link',
      uri,
      name: `${type} Resource ${id}`,
      description: `Resource ${id}: plaintext resource`,
      mimeType: 'text/plain',
    });
    expect(await getResourceLinks.call({}, fakeRequest())).toEqual({
      content: [
        { type: 'text', text: 'Here are 3 resource links to resources available in this server:' },
        link('demo://resource/dynamic/blob/1', 1, 'Blob'),
        link('demo://resource/dynamic/text/2', 2, 'Text'),
        link('demo://resource/dynamic/blob/3', 3, 'Blob'),
      ],
    });
  });

  it.each([0, 11])('has no %d of them', async (count) => {
    expect(await getResourceLinks.call({ count }, fakeRequest())).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('count: Too') }],
    });
  });
});

describe('get-resource-reference', () => {
  it.each([
    [{}, 1, dynamicText(1, clock)],
    [{ resourceType: 'Text', resourceId: 12 }, 12, dynamicText(12, clock)],
    [{ resourceType: 'Blob', resourceId: 7 }, 7, dynamicBlob(7, clock)],
  ])('embeds the resource of %j between two texts', async (args, id, resource) => {
    expect(await reference.call(args, fakeRequest())).toEqual({
      content: [
        { type: 'text', text: `Returning resource reference for Resource ${id}:` },
        { type: 'resource', resource },
        { type: 'text', text: `You can access this resource using the URI: ${resource.uri}` },
      ],
    });
  });

  it.each([0, -1, 1.5])('has no resource %d', async (resourceId) => {
    expect(await reference.call({ resourceId }, fakeRequest())).toEqual({
      isError: true,
      content: [{ type: 'text', text: `Invalid resourceId: ${resourceId}. Must be a finite positive integer.` }],
    });
  });
});
