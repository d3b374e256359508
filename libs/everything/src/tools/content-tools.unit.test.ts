import { describe, expect, it } from 'vitest';
import { fakeRequest } from '@longhaul/mcp-features/testing';
import { getAnnotatedMessage } from './get-annotated-message.js';
import { getStructuredContent } from './get-structured-content.js';
import { getSum } from './get-sum.js';
import { getTinyImage } from './get-tiny-image.js';
import { TINY_IMAGE_PNG } from './tiny-image.js';

const context = fakeRequest();

describe('get-annotated-message', () => {
  it.each([
    ['error', 'Error: Operation failed', 1, ['user', 'assistant']],
    ['success', 'Operation completed successfully', 0.7, ['user']],
    ['debug', 'Debug: Cache hit ratio 0.95, latency 150ms', 0.3, ['assistant']],
  ])('says of %s how much it matters and to whom', async (messageType, text, priority, audience) => {
    expect(await getAnnotatedMessage.call({ messageType }, context)).toEqual({
      content: [{ type: 'text', text, annotations: { priority, audience } }],
    });
  });

  it('adds an image for the user', async () => {
    const { content } = await getAnnotatedMessage.call({ messageType: 'debug', includeImage: true }, context);
    const annotations = { priority: 0.5, audience: ['user'] };
    expect(content.slice(1)).toEqual([{ type: 'image', mimeType: 'image/png', data: TINY_IMAGE_PNG, annotations }]);
  });
});

describe('get-structured-content', () => {
  it.each([
    ['New York', { temperature: 33, conditions: 'Cloudy', humidity: 82 }],
    ['Chicago', { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 }],
    ['Los Angeles', { temperature: 73, conditions: 'Sunny / Clear', humidity: 48 }],
  ])('has the weather of %s, as structured content and as text', async (location, weather) => {
    expect(await getStructuredContent.call({ location }, context)).toEqual({
      content: [{ type: 'text', text: JSON.stringify(weather) }],
      structuredContent: weather,
    });
  });

  it('declares the shape of the weather', () => {
    expect(getStructuredContent.listing.outputSchema).toMatchObject({ required: ['temperature', 'conditions', 'humidity'] });
  });
});

describe('get-sum', () => {
  it.each([
    [2, 3, 'The sum of 2 and 3 is 5.'],
    [0.1, 0.2, 'The sum of 0.1 and 0.2 is 0.30000000000000004.'],
    [-1, 1, 'The sum of -1 and 1 is 0.'],
  ])('adds %d and %d', async (a, b, text) => {
    expect(await getSum.call({ a, b }, context)).toEqual({ content: [{ type: 'text', text }] });
  });

  it('names a summand that is no number', async () => {
    const { isError, content } = await getSum.call({ a: 1, b: '2' }, context);
    expect({ isError, text: JSON.stringify(content) }).toMatchObject({ isError: true, text: expect.stringContaining('b: Invalid input') });
  });
});

describe('get-tiny-image', () => {
  it('returns a PNG between two texts', async () => {
    expect(await getTinyImage.call({}, context)).toEqual({
      content: [
        { type: 'text', text: "Here's the image you requested:" },
        { type: 'image', mimeType: 'image/png', data: TINY_IMAGE_PNG },
        { type: 'text', text: 'The image above is the MCP logo.' },
      ],
    });
    expect(Buffer.from(TINY_IMAGE_PNG, 'base64').subarray(1, 4).toString()).toBe('PNG');
  });
});
