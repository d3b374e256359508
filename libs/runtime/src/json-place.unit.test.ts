import { expect, it } from 'vitest';
import { placeInJson } from './json-place.js';

function placeOf(text: string): string {
  try {
    JSON.parse(text);
  } catch (error) {
    return placeInJson(error);
  }
  return 'it is JSON';
}

it.each([
  ['{"a": 1,\n  b: 2}', ' (line 2, column 3)'],
  ['{"a": "secret', ' (line 1, column 14)'],
  ['{"a": [1, ', ' (it ends in the middle)'],
  ['', ' (it ends in the middle)'],
  ['secret', ''],
])('says of %j where it stops being JSON, and shows nothing of it', (text, place) => {
  expect(placeOf(text)).toBe(place);
});

it('says nothing of other errors', () => expect(placeInJson(new Error('(line 1 column 2)'))).toBe(''));
