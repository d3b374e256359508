import { describe, expect, it } from 'vitest';
import { dynamicBlob, dynamicResource, dynamicResourceIdOf, dynamicResourceUri, dynamicText } from './dynamic-resources.js';

const NOW = Date.UTC(2026, 0, 2, 15, 4, 5);
const clock = () => NOW;
const time = new Date(NOW).toLocaleTimeString();

describe('a dynamic resource', () => {
  it('is a text or a blob that names its id and its time', () => {
    expect(dynamicText(3, clock)).toEqual({
      uri: 'demo://resource/dynamic/text/3',
      mimeType: 'text/plain',
      text: `Resource 3: This is a plaintext resource created at ${time}`,
    });
    const { uri, mimeType, blob } = dynamicBlob(4, clock);
    expect({ uri, mimeType }).toEqual({ uri: 'demo://resource/dynamic/blob/4', mimeType: 'text/plain' });
    expect(Buffer.from(blob, 'base64').toString()).toBe(`Resource 4: This is a base64 blob created at ${time}`);
  });

  it('is made by its type', () => {
    expect(dynamicResource('Text', 1, clock)).toEqual(dynamicText(1, clock));
    expect(dynamicResource('Blob', 1, clock)).toEqual(dynamicBlob(1, clock));
    expect(dynamicResourceUri('Blob', 12)).toBe('demo://resource/dynamic/blob/12');
  });
});

describe('the id of a dynamic resource', () => {
  it.each([
    ['1', 1],
    ['250', 250],
    [7, 7],
  ])('may be %j', (value, id) => {
    expect(dynamicResourceIdOf(value)).toBe(id);
  });

  it.each(['', '0', '-1', '1.5', 'one', 'Infinity', 0, -3, 2.5, Number.NaN])('may not be %j', (value) => {
    expect(dynamicResourceIdOf(value)).toBeUndefined();
  });
});
