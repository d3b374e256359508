import { describe, expect, it } from 'vitest';
import { featureName } from './feature-name.js';

describe('the name of a feature', () => {
  it.each<[PropertyKey, string]>([
    ['echo', 'echo'],
    ['lookUpTerm', 'look-up-term'],
    ['getHTTPStatus', 'get-http-status'],
    ['snake_case', 'snake-case'],
    ['#shareSecret', 'share-secret'],
    ['top10Cities', 'top10-cities'],
    [1, '1'],
  ])('is made of that of its method: %s makes %s', (method, name) => {
    expect(featureName('McpTool', method)).toBe(name);
  });
});
