import { expect, it } from 'vitest';
import { escaped } from './log-destination.js';

it('a readable line has no characters that a terminal obeys, or that turn the direction of writing', () => {
  const evil = 'a\u009B31mb\u0085c\u202Ed\u2066e\u200Ff';
  const line = escaped(JSON.stringify({ msg: evil, plain: 'größe 😀' }));
  expect(JSON.parse(line)).toEqual({ msg: String.raw`a\u009b31mb\u0085c\u202ed\u2066e\u200ff`, plain: 'größe 😀' });
});
